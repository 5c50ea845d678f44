/**
 * Bundles a program of the bench, so that it runs as built code: no built file holds one part of the product alone, and
 * running sources through a loader would measure the loader, above all its memory.
 */
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundles a program, given as a path relative to this file, into the folder; returns the path of the bundle. */
export async function bundleProgram(program: string, folder: string): Promise<string> {
  const input = fileURLToPath(new URL(program, import.meta.url))
  const file = join(folder, `${basename(program, '.ts')}.mjs`)
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ file, codeSplitting: false, charset: 'ascii' })
  await bundle.close()
  return file
}
