/** Modules of the built product, with the types of their sources; nothing of the sources is loaded. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as chance from '../src/engine/chance.ts'
import type * as orders from '../src/fixtures/orders.ts'
import type * as population from '../src/fixtures/population.ts'
import type * as library from '../src/index.ts'

interface Modules {
  readonly 'index.js': typeof library
  readonly 'engine/chance.js': typeof chance
  readonly 'fixtures/orders.js': typeof orders
  readonly 'fixtures/population.js': typeof population
}

/** A module of `dist` in this folder. */
export const built = <File extends keyof Modules>(root: string, file: File) =>
  import(pathToFileURL(join(root, 'dist', file)).href) as Promise<Modules[File]>
