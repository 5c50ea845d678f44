/** Schemas of any JSON value: one object, so that documents can name it, and one for settings and scenarios; how deep it may be. */
import { z } from 'zod'

/**
 * Levels to which objects and lists may be nested in bodies, configuration and scenarios: deeper JSON parses, but what
 * reads it level by level would overflow the stack.
 */
export const maxNestingLevels = 100

/** What JSON can say. */
export type JsonData = string | number | boolean | null | JsonData[] | { [name: string]: JsonData }

// Described in place: a description by `describe` would be that of a copy.
export const JsonValue = z.json().register(z.globalRegistry, { description: 'Any JSON value.' })

/** Another schema at each call, which may be described; its type names no part of the schema library. */
export const jsonData = (): z.ZodType<JsonData, JsonData> => z.json()

/** Schema of a request body that is optional and not evaluated (ORD-UND-08). */
export const AnyBody = z.unknown()
