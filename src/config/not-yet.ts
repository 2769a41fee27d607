// What the specification has and this version lacks, so that it is told apart from a typing error.

/** Keys by the section that they belong to; `*` is any provider name, `[]` any list index. The root is "". */
const keysOf: Readonly<Record<string, string>> = {
  "": "media budgets rate_limits users workflows tagging session opentelemetry guardrails header_policies plugins mcp version_check extensions",
  server:
    "swagger_enabled pprof_enabled enable_passthrough_routes allow_passthrough_v1_alias enabled_passthrough_providers user_path_header realtime_enabled trusted_proxies client_ip_header trusted_hops pid_file auth_verify_enabled",
  models: "enabled_by_default",
  cache: "response",
  "cache.model": "model_list local redis",
  storage: "postgresql mongodb",
  logging: "log_revision_bodies log_guardrail_steps log_audio_bodies log_image_bodies log_image_bodies_scope",
  usage: "enabled pricing_recalculation_enabled buffer_size flush_interval retention_days",
  admin: "ui_enabled live_logs_enabled",
  failover: "rules manual_rules_path disabled_models overrides default_mode",
  "providers.*":
    "session_sticky_keys backend gcp_scope model_filter passthrough_user_headers passthrough_user_headers_skip passthrough_user_headers_skip_mode inference_objective fairness_from_user_path",
  "providers.*.models[].metadata.pricing":
    "batch_input_per_mtok batch_output_per_mtok per_image input_per_image per_second_input per_second_output per_character_input per_page time_windows",
  "virtual_models[]": "strategy_plugin strategy_config session_affinity user_paths groups slowdown",
};

const notYetPaths = new Set(
  Object.entries(keysOf).flatMap(([section, keys]) =>
    keys.split(" ").map((key) => (section === "" ? key : `${section}.${key}`)),
  ),
);

/** Whether the key at `path` is one that a later version will have. */
export function isNotYetKey(path: readonly (string | number)[]): boolean {
  const pattern = path.reduce<string>((text, step, index) => {
    if (typeof step === "number") return `${text}[]`;
    const name = index === 1 && path[0] === "providers" ? "*" : step;
    return text === "" ? name : `${text}.${name}`;
  }, "");
  return notYetPaths.has(pattern);
}

/** Provider types of behaviour 3.1 that may be missing; the ones that this version has are taken off by the caller. */
const specifiedTypes = new Set(
  "openai anthropic cohere gemini vertex deepseek groq fireworks chutes meta openrouter kilo edenai zai xai bailian minimax xiaomi elevenlabs opencode_go kimi kimicode azure oracle ollama sglang vllm llamacpp llmd audiocpp bedrock bedrock-mantle chatgpt hetzner jev mistral together cerebras perplexity".split(
    " ",
  ),
);

export function isNotYetType(type: string): boolean {
  return specifiedTypes.has(type);
}

/** Variables whose setting is missing; only names that nobody else uses. */
const variables = new Set(
  "GOMODEL_DEMO_MODE SWAGGER_ENABLED PPROF_ENABLED ENABLE_PASSTHROUGH_ROUTES ALLOW_PASSTHROUGH_V1_ALIAS ENABLED_PASSTHROUGH_PROVIDERS USER_PATH_HEADER REALTIME_ENABLED SERVER_TRUSTED_PROXIES SERVER_CLIENT_IP_HEADER SERVER_TRUSTED_HOPS AUTH_VERIFY_ENABLED GOMODEL_OFFLINE MODELS_ENABLED_BY_DEFAULT MODEL_LIST_URL GOMODEL_CACHE_DIR REDIS_KEY_MODELS REDIS_TTL_MODELS RESPONSE_CACHE_SIMPLE_ENABLED SEMANTIC_CACHE_ENABLED PROVIDER_PROMPT_CACHE_PLANNER_ENABLED GOMODEL_ENCRYPTION_KEY GOMODEL_ENCRYPTION_KEY_PREVIOUS MEDIA_STORAGE_TYPE MEDIA_STORAGE_PATH LOGGING_LOG_REVISION_BODIES LOGGING_LOG_GUARDRAIL_STEPS LOGGING_LOG_AUDIO_BODIES LOGGING_LOG_IMAGE_BODIES LOGGING_LOG_IMAGE_BODIES_SCOPE USAGE_ENABLED USAGE_PRICING_RECALCULATION_ENABLED USAGE_BUFFER_SIZE USAGE_FLUSH_INTERVAL USAGE_RETENTION_DAYS BUDGETS_ENABLED RATE_LIMITS_ENABLED RATE_LIMITS_FLUSH_INTERVAL WORKFLOW_REFRESH_INTERVAL SESSION_KEEPING_ENABLED SESSION_AUTO_DETECT SESSION_BUILTIN_RULES ADMIN_UI_ENABLED DASHBOARD_LIVE_LOGS_ENABLED GUARDRAILS_ENABLED ENABLE_GUARDRAILS_FOR_BATCH_PROCESSING HEADER_POLICIES_ENABLED HEADER_POLICIES_JSON PLUGINS_ENABLED PLUGINS_SEARCH_PATHS PLUGINS_LOAD MCP_ENABLED MCP_SERVERS MCP_VIRTUAL_SERVERS MCP_ALLOWED_ORIGINS MCP_TOOL_DISCOVERY GOMODEL_VERSION_CHECK_ENABLED FAILOVER_RULES_JSON FAILOVER_DISABLED_MODELS FAILOVER_DISABLED_MODELS_JSON FAILOVER_MODE".split(
    " ",
  ),
);

const variablePrefixes = [
  "SET_BUDGET_",
  "SET_RATE_LIMIT_",
  "SET_PROVIDER_RATE_LIMIT_",
  "TAGGING_HEADER_",
  "SESSION_HEADER_",
];

export function isNotYetVariable(name: string): boolean {
  return variables.has(name) || variablePrefixes.some((prefix) => name.startsWith(prefix));
}
