/**
 * A program of the bench as it would be if it were built: none of the built files is one part of the product alone, and
 * sources through a loader would tell about the loader, its memory above all.
 */
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Puts a program, given as a path beside this file, into the folder; answers where it is. */
export async function bundled(program: string, folder: string): Promise<string> {
  const input = fileURLToPath(new URL(program, import.meta.url))
  const file = join(folder, `${basename(program, '.ts')}.mjs`)
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({ file, codeSplitting: false, charset: 'ascii' })
  await bundle.close()
  return file
}
