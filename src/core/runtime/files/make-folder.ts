/**
 * Creates a folder and its missing parents, one by one. Node's recursive mkdir never returns on a file system that
 * answers ENOENT to mkdir, as /proc does.
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
      // Another process may have created it meanwhile.
      if (errorCode(error) !== 'EEXIST') throw error
    }
}
