/** FIFOs and device nodes of a test's own, in a folder of its own. */
import { spawnSync } from 'node:child_process'

export function makeFifo(path: string): void {
  const { status, stderr } = spawnSync('mknod', [path, 'p'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mknod ${path} p: ${stderr}`)
}

/** Another node of the null device; false where that is not permitted. */
export const makeNullDevice = (path: string): boolean =>
  spawnSync('mknod', [path, 'c', '1', '3']).status === 0
