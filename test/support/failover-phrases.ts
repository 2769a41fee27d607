// The phrases of the owner's page "Failover" that move a request on by default, each with a status that the page lets it have.

export const defaultFailoverPhrases: readonly (readonly [status: number, phrase: string])[] = [
  [400, "model not found"],
  [400, "model does not exist"],
  [400, "model unsupported"],
  [400, "model unavailable"],
  [400, "model not available"],
  [400, "model deprecated"],
  [400, "model retired"],
  [400, "model disabled"],
  [400, "upstream failed"],
  [400, "upstream error"],
  [400, "upstream unavailable"],
  [400, "upstream timed out"],
  [400, "upstream timeout"],
  [404, "unsupported"],
  [404, "unavailable"],
  [404, "not available"],
  [404, "deprecated"],
  [404, "retired"],
  [404, "disabled"],
];
