/** Schema of any JSON value: one object, so that documents can name it. */
import { z } from 'zod'

// Described in place: a description by `describe` would be that of a copy.
export const JsonValue = z.json().register(z.globalRegistry, { description: 'Any JSON value.' })
