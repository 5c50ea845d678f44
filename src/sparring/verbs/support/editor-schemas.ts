/** The JSON Schemas that the package holds for editors, in `schemas/`, and where a project refers to one. */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { configurationSchema } from './configuration-schema.ts'
import { recordingSchema } from './recording-schema.ts'
import { scenarioSchema } from './scenario-schema.ts'

/** Its members by file name. `sparring schema config`, `scenario` and `recording` print the same. */
export const editorSchemas = {
  'configuration.json': configurationSchema,
  'scenario.json': scenarioSchema,
  'recording.json': recordingSchema,
} as const

/**
 * The path of an installed schema, relative to the folder, such as `./node_modules/sparring/schemas/configuration.json`: in
 * the nearest `node_modules` that has it, as Node looks packages up. Undefined where Sparring is not installed.
 */
export function installedSchema(
  folder: string,
  name: keyof typeof editorSchemas,
): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'node_modules/sparring/schemas', name)
    if (existsSync(file)) {
      const path = relative(folder, file).replaceAll('\\', '/')
      return path.startsWith('.') ? path : `./${path}`
    }
    if (dirname(at) === at) return undefined
  }
}
