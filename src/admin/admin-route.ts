// The form of one endpoint of the operator's API, free of the server that will carry it.

export interface AdminRoute {
  readonly method: "GET" | "POST";
  /** May have one segment `{name}`, which stands for anything without a slash. */
  readonly path: string;
  /** Only the query of `url` is read. `name`: the decoded segment, empty without one. Throws a `Failure` that says what was wrong. */
  handle(url: URL, name: string): Promise<{ readonly status: number; readonly body: unknown }>;
}
