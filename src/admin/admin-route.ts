// The form of one endpoint of the operator's API, free of the server that will carry it.

export interface AdminRoute {
  readonly method: "GET";
  readonly path: string;
  /** Only the query of `url` is read. Throws a `Failure` that says what was wrong with it. */
  handle(url: URL): Promise<{ readonly status: number; readonly body: unknown }>;
}
