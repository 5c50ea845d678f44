/** Writes the JSON Schemas for editors beside the built code: the paths are promised, `sparring/schemas/scenario.json`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { editorSchemas } from '../../src/sparring/verbs/support/editor-schemas.ts'

export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, schema] of Object.entries(editorSchemas))
    writeFileSync(join(folder, name), `${JSON.stringify(schema())}\n`)
}
