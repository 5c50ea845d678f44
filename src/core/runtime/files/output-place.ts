/** Where an output goes: what stands at its path decides how it is written. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

export type OutputPlace =
  /** A regular file, or nothing yet: written beside, then renamed. */
  | { readonly kind: 'file'; readonly path: string; readonly stats?: Stats }
  /** A device, a FIFO or a socket: written into. */
  | { readonly kind: 'special'; readonly path: string; readonly isFifo: boolean }
  /** An open descriptor of this process: written into, and left open. */
  | { readonly kind: 'descriptor'; readonly fd: number }

const stdoutFd = 1
/** As many symbolic links as Linux follows. */
const maxLinks = 40

/** The folder without symbolic links, as far as it exists. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    const parent = dirname(folder)
    return parent === folder ? folder : join(realFolder(parent), basename(folder))
  }
}

/** `/dev/stdout`, `/dev/fd/3` and `/proc/self/fd/3` are links into the folder of our descriptors. */
function descriptorOf(path: string): number | undefined {
  const [, pid, fd] = /^(?:\/dev|\/proc\/(\d+))\/fd\/(\d+)$/.exec(path) ?? []
  return fd === undefined || (pid !== undefined && Number(pid) !== process.pid)
    ? undefined
    : Number(fd)
}

/** Follows symbolic links, also to a file that is not there yet. `-` is stdout. Throws errors of the file system. */
export function outputPlaceOf(file: string, cwd = '.'): OutputPlace {
  if (file === '-') return { kind: 'descriptor', fd: stdoutFd }
  let path = resolve(cwd, file)
  for (let links = 0; links < maxLinks; links++) {
    path = join(realFolder(dirname(path)), basename(path))
    const fd = descriptorOf(path)
    if (fd !== undefined) return { kind: 'descriptor', fd }
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return { kind: 'file', path }
    if (found.isSymbolicLink() && !path.startsWith('/proc/')) {
      path = resolve(dirname(path), readlinkSync(path))
      continue
    }
    // A link in /proc leads to what is open, which may have no name.
    const stats = statSync(path)
    if (stats.isFile()) return { kind: 'file', path, stats }
    return { kind: 'special', path, isFifo: stats.isFIFO() }
  }
  throw Object.assign(new Error(`too many symbolic links from ${file}`), { code: 'ELOOP' })
}

/** Whether an output goes where stdout goes. */
export function isStdout(file: string, cwd?: string): boolean {
  try {
    const place = outputPlaceOf(file, cwd)
    return place.kind === 'descriptor' && place.fd === stdoutFd
  } catch {
    return false
  }
}

/** The path behind symbolic links; as it is where nothing can be followed. */
export function realPathOf(file: string): string {
  try {
    const place = outputPlaceOf(file)
    return place.kind === 'descriptor' ? file : place.path
  } catch {
    return resolve(file)
  }
}
