/**
 * The default configuration: what the schemas make of an empty one. Creating all schemas takes a tenth of a start, so that
 * `bin/build/build.ts` puts the result in the place of this module.
 */
import { Configuration } from './schema.ts'

let text: string | undefined

export const defaultConfiguration = (): Configuration => {
  text ??= JSON.stringify(Configuration.parse({}, { jitless: true }))
  return JSON.parse(text) as Configuration
}
