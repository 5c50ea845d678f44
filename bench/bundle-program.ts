/**
 * Bundles a program of the bench or of a test, so that it runs as built code: no built file holds one part of the product
 * alone, and running sources through a loader would measure the loader, and compile all sources at each start.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/** Ink imports it where it is there. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  resolveId: (id) => (id === 'react-devtools-core' ? `\0${id}` : undefined),
  load: (id) => (id === '\0react-devtools-core' ? 'export default undefined' : undefined),
}

/** Bundles a program, given as a path relative to this file, into the folder; returns the path of the bundle. */
export async function bundleProgram(program: string, folder: string): Promise<string> {
  const input = fileURLToPath(new URL(program, import.meta.url))
  const file = join(folder, `${parse(program).name}.mjs`)
  const bundle = await rolldown({ input, platform: 'node', plugins: [withoutDevtools] })
  await bundle.write({ file, codeSplitting: false, charset: 'ascii' })
  await bundle.close()
  // Where the product looks for its version.
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest))
    copyFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), manifest)
  return file
}
