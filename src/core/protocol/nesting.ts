/**
 * Levels to which objects and lists may be nested in bodies, configuration and scenarios: deeper JSON parses, but what
 * reads it level by level would overflow the stack.
 */
export const maxNestingLevels = 100
