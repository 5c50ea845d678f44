/**
 * Makes a folder and those above it, one by one. Node's own recursive way never comes back where a file system answers
 * "no such entry" to the making of one, as /proc does.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from './file-problem.ts'

export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at) && at !== dirname(at); at = dirname(at))
    missing.push(at)
  for (const folder of missing.toReversed())
    try {
      mkdirSync(folder, mode)
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (errorCode(error) !== 'EEXIST') throw error
    }
}
