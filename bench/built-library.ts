/** Loads the built library, typed by its source; no source file is loaded. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as library from '../src/sparring/library/index.ts'

/** The library in `dist` of this folder. */
export const loadBuiltLibrary = (root: string) =>
  import(pathToFileURL(join(root, 'dist/index.js')).href) as Promise<typeof library>
