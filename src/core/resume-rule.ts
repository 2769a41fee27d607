// How the answer of another target joins the text that was delivered before a stream broke.

/**
 * How the next answer joins the delivered text. prefill: it was asked to go on and begins behind it. fresh: it repeats the delivered text to the
 * letter and goes on; also the rule for a provider that is asked to go on and is known to send the prefill back.
 */
export type ResumeRule = "prefill" | "fresh";
