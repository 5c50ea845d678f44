/** What the texts of an option name, where that is no list of the schema: a form completes them from the session. */
import { z } from 'zod'

/** Names that an option may take: event types, triggers of calls, orders, merchants. */
export type OptionNames = 'event' | 'trigger' | 'order' | 'merchant'

/** Registered at the schema of the option itself; it is no part of its JSON Schema. */
export const optionNames = z.registry<{ readonly of: OptionNames }>()
