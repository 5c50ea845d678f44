/** Explains file system errors in a sentence: what was attempted, what was wrong, what to do. */

interface Explanation {
  readonly wrong: string
  readonly remedy: string
}

const explanations: Readonly<Record<string, Explanation>> = {
  EACCES: {
    wrong: 'permission is denied',
    remedy: 'Make the file and its directory writable, or name another file',
  },
  EDQUOT: {
    wrong: 'the disk quota is used up',
    remedy: 'Free some space',
  },
  EEXIST: {
    wrong: 'a file is there already',
    remedy: 'Name another path',
  },
  EISDIR: { wrong: 'it is a directory', remedy: 'Name a file in it' },
  EMFILE: {
    wrong: 'too many files are open',
    remedy: 'Raise the limit of open files (ulimit -n)',
  },
  ENOENT: {
    wrong: 'there is no such file or directory',
    remedy: 'Name a path that exists',
  },
  ENOSPC: {
    wrong: 'the disk is full',
    remedy: 'Free some space',
  },
  ENOTDIR: {
    wrong: 'a part of its path is no directory',
    remedy: 'Name a path whose directories exist or can be made',
  },
  ENXIO: {
    wrong: 'no process reads from it',
    remedy: 'Start what reads it first',
  },
  EPIPE: {
    wrong: 'what read from it has ended',
    remedy: 'Look why, and start again',
  },
  EROFS: { wrong: 'the file system is read-only', remedy: 'Name a file on another one' },
}

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export function fileProblem(attempted: string, error: unknown): string {
  const code = errorCode(error)
  // Some systems report EPERM when a directory is opened.
  const known = explanations[code === 'EPERM' ? 'EACCES' : code]
  if (known) return `${attempted}: ${known.wrong} (${code}). ${known.remedy}`
  const message = error instanceof Error ? error.message : String(error)
  return `${attempted}: ${message}. Name another file`
}
