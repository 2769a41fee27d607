// Base URLs that follow from a region or a location.

/** Plain data, like all that a provider type tells the configuration. */
export interface RegionalUrl {
  /** Options that name the region; the first that is set and not empty does. */
  readonly variables: readonly string[];
  /** Where none of them does. Undefined: there is no URL then. */
  readonly defaultRegion: string | undefined;
  /** With `{region}` in it. */
  readonly url: string;
  /** By region: those that are not spelled like all others. */
  readonly exceptions?: Readonly<Record<string, string>>;
  /** What counts as a region where a base URL may be given as one. Undefined: it may not. */
  readonly shortForm?: RegExp;
}

/** Undefined: the options do not tell the region. */
export function urlByOptions(
  regional: RegionalUrl,
  options: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const region = regionOf(regional, options);
  return region === undefined ? undefined : urlOfRegion(regional, region);
}

export function regionOf(
  { variables, defaultRegion }: RegionalUrl,
  options: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return variables.map((variable) => options[variable] ?? "").find((region) => region !== "") ?? defaultRegion;
}

/** Undefined: `text` is not a region that may stand for its base URL. */
export function urlOfShortForm(regional: RegionalUrl, text: string): string | undefined {
  return regional.shortForm?.test(text) === true ? urlOfRegion(regional, text) : undefined;
}

/** `region` may be anything: it is not the replacement's pattern, but its text. */
export function urlOfRegion({ url, exceptions }: RegionalUrl, region: string): string {
  const exception = exceptions !== undefined && Object.hasOwn(exceptions, region) ? exceptions[region] : undefined;
  return exception ?? url.replace("{region}", () => region);
}
