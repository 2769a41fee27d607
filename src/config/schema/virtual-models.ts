// Names that clients use, and the targets behind them.

import { z } from "zod";
import { decimal, onOff, oneOf, text } from "../setting.ts";
import { streamRecovery } from "./traffic.ts";

const target = z
  .strictObject({
    model: text({ description: "`provider/model`, a bare model id, or another virtual model.", example: "gpt-4o" }),
    provider: text({ description: "Pins the model to this provider.", example: "openai" }).optional(),
    weight: decimal({ default: "1", description: "Share of `round_robin`, greater than 0." }, { min: 0, above: true }),
  })
  .meta({ description: "A target: its model alone, or a map.", shorthand: "model" });

/** Behaviour 1.8 and 2.12. */
export const virtualModelRow = z
  .strictObject({
    source: text({
      description: "The name that clients send as `model`. May be a real model's, to protect it.",
      example: "smart",
    }),
    strategy: oneOf(
      {
        default: "round_robin",
        description:
          "Which target is first. `round_robin`: in turn, by weight. `cost`: the cheapest. `failover`: always the first that can be served. The rest follow as listed.",
      },
      { round_robin: "round_robin", cost: "cost", failover: "failover" },
      { what: "a strategy", later: ["adaptive", "plugin"] },
    ),
    target: target.meta({ description: "The only target, instead of `targets`.", shorthand: "model" }).optional(),
    targets: z
      .array(target)
      .meta({
        kind: "list",
        description: "The targets: models, or maps of `model`, `provider` and `weight`.",
      })
      .optional(),
    failover: onOff({
      default: "true",
      description:
        "`false` only distributes: a failed request gets its error. The strategy `failover` always fails over.",
    }),
    stream_recovery: streamRecovery({
      description: "What happens when a stream breaks after its first event, instead of `failover.stream_recovery`.",
      example: "buffer",
    }).optional(),
    description: text({ description: "For people.", example: "The best model that answers" }).optional(),
    enabled: onOff({
      default: "true",
      description: "`false` switches the name off; without targets it switches off the real model of that name.",
    }),
  })
  .meta({ description: "One virtual model." });

export const virtualModelsSection = z.array(virtualModelRow).meta({
  kind: "list",
  env: "VIRTUAL_MODELS",
  example: '[{"source":"smart","strategy":"failover","targets":["openai/gpt-4o","openai/gpt-4o-mini"]}]',
  description:
    "The virtual models. `VIRTUAL_MODELS` holds the same list as JSON; its entries replace those of the same `source` here.",
});
