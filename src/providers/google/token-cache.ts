// Keeps an access token, and has the next one ready before it ends.

import type { Cancellation } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import { cancelledRequest } from "../../core/failure.ts";
import type { AccessToken } from "./token-exchange.ts";

/** From here on to the end a new token is asked for while the old one is still used. */
const renewalMs = 5 * 60_000;

/** A call may take so long to arrive; the token has to be good then. */
const marginMs = 30_000;

/** After a renewal that failed, for as long as the old token is good. */
const pauseMs = 10_000;

/** The token at once when there is a good one. Calls that need one at the same time wait for one exchange; it goes on when one of them is cancelled. */
export function cachedToken(
  exchange: () => Promise<AccessToken>,
  clock: Clock,
): (cancellation: Cancellation) => string | Promise<string> {
  let current: { readonly token: string; readonly endsAt: number } | undefined;
  let pending: Promise<string> | undefined;
  let quietUntil = Number.NEGATIVE_INFINITY;

  function renew(): Promise<string> {
    pending ??= exchange()
      .then(({ token, lifeMs }) => {
        current = { token, endsAt: clock.now() + lifeMs };
        return token;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  return (cancellation) => {
    const leftMs = current === undefined ? 0 : current.endsAt - clock.now();
    if (current === undefined || leftMs <= marginMs) return untilCancelled(renew(), cancellation);
    if (leftMs <= renewalMs && clock.now() >= quietUntil && pending === undefined) {
      renew().catch(() => {
        quietUntil = clock.now() + pauseMs;
      });
    }
    return current.token;
  };
}

function untilCancelled(token: Promise<string>, cancellation: Cancellation): Promise<string> {
  return new Promise((resolve, reject) => {
    const listener = {
      cancelled: (reason: Parameters<typeof cancelledRequest>[0]) => reject(cancelledRequest(reason)),
    };
    cancellation.add(listener);
    token.then(resolve, reject).finally(() => cancellation.remove(listener));
  });
}
