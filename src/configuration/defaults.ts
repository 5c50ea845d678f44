/**
 * What a session is told when nobody says anything. In what is built it stands written out: to make the whole schema, and
 * to read nothing with it, takes a tenth of a start.
 */
import { Configuration } from './schema.ts'

export const usualConfiguration = (): Configuration => Configuration.parse({}, { jitless: true })
