/** How long a test waits for what comes at once but on a busy machine: nearly as long as a test may take. */
export const pollTimeoutMs = 50_000
