/** The library as it was built, with the types of its source; nothing of the sources is loaded. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as library from '../src/index.ts'

/** The library in the `dist` of this folder. */
export const built = (root: string) =>
  import(pathToFileURL(join(root, 'dist/index.js')).href) as Promise<typeof library>
