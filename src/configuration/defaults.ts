/** The default configuration. The build inlines it as a literal: building the whole schema takes a tenth of a start. */
import { Configuration } from './schema.ts'

export const defaultConfiguration = (): Configuration => Configuration.parse({}, { jitless: true })
