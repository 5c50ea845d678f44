/**
 * Watches files by their content: it calls back when what they hold has changed and stays as it is, however it came there
 * (written in place or in pieces, renamed, deleted and made again, behind a symbolic link).
 */
import { createHash } from 'node:crypto'
import { type FSWatcher, lstatSync, readlinkSync, statSync, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, parse, resolve, sep } from 'node:path'
import { plainFileRefusal } from './text-file.ts'

export interface FileWatcherOptions {
  readonly paths: Iterable<string>
  /** Called at the beginning and when content has changed; the next call waits for it. It does not reject. */
  readonly onChange: () => Promise<void>
}

/** Content is stable when two looks at this distance are equal. */
const settleMs = 50

/** An empty or missing file is often one that is being written: it has to stay so this long. */
const emptySettleMs = 600

/** Where the system cannot watch (too many watches, some network file systems), files are looked at this often. */
const pollMs = 1000

/** Symbolic links that are followed in one path, as Linux does. */
const maxLinks = 40

interface FolderEntry {
  readonly folder: string
  readonly name: string
}

/**
 * The entries on the way to a file whose change may change its content: the file, each symbolic link in its path, and the
 * first part that does not exist.
 */
function entriesBetween(path: string): readonly FolderEntry[] {
  const entries: FolderEntry[] = []
  let { root: at } = parse(path)
  let names = path.slice(at.length).split(sep).filter(Boolean)
  for (let links = 0; names.length > 0;) {
    const [name = '', ...rest] = names
    const here = join(at, name)
    const stats = lstatSync(here, { throwIfNoEntry: false })
    if (!stats || rest.length === 0 || stats.isSymbolicLink()) entries.push({ folder: at, name })
    if (!stats) return entries
    if (stats.isSymbolicLink()) {
      if (++links > maxLinks) return entries
      const target = resolve(at, readlinkSync(here))
      at = parse(target).root
      names = [...target.slice(at.length).split(sep).filter(Boolean), ...rest]
    } else {
      at = here
      names = rest
    }
  }
  return entries
}

function entriesOf(path: string): readonly FolderEntry[] {
  try {
    return entriesBetween(path)
  } catch {
    return [{ folder: dirname(path), name: basename(path) }]
  }
}

/** The content of each file by its path: a hash, or what it is where it has none. */
type Look = ReadonlyMap<string, string>

const blanks: ReadonlySet<string | undefined> = new Set(['missing', 'empty'])

async function contentOf(path: string): Promise<string> {
  // Devices, pipes and huge files are not looked into: reading them says why.
  const stats = await stat(path).catch(() => undefined)
  const refusal = stats && plainFileRefusal(stats)
  if (refusal !== undefined) return refusal
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined) return 'missing'
  return bytes.length === 0 ? 'empty' : createHash('sha256').update(bytes).digest('hex')
}

const lookAt = async (paths: readonly string[]): Promise<Look> =>
  new Map(await Promise.all(paths.map(async (path) => [path, await contentOf(path)] as const)))

const isSameLook = (one: Look, other: Look): boolean =>
  one.size === other.size && [...one].every(([path, content]) => other.get(path) === content)

/** Whether a file that had content has none now. */
const isEmptied = (now: Look, before: Look): boolean =>
  [...now].some(
    ([path, content]) => blanks.has(content) && before.has(path) && !blanks.has(before.get(path)),
  )

interface FolderWatch {
  readonly watcher: FSWatcher
  /** A folder that is made again has another one. */
  readonly inode: number
  /** The names in it that matter. */
  names: ReadonlySet<string>
}

const inodeOf = (folder: string): number | undefined =>
  statSync(folder, { throwIfNoEntry: false })?.ino

/** The names that matter, by folder; a deleted folder reports its own name. */
function namesByFolder(paths: readonly string[]): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { folder, name } of paths.flatMap(entriesOf)) {
    const names = found.get(folder) ?? new Set([basename(folder)])
    found.set(folder, names.add(name))
  }
  return found
}

export class FileWatcher {
  readonly #onChange: () => Promise<void>
  #paths: readonly string[]
  readonly #folders = new Map<string, FolderWatch>()
  #isPolling = false
  #closed = false
  #timer: NodeJS.Timeout | undefined
  #isBusy = false
  #isRepeated = false
  /** What was last reported; nothing of paths that are new, so that a change since they were read is not lost. */
  #reported: Look = new Map()

  constructor({ paths: initial, onChange }: FileWatcherOptions) {
    this.#onChange = onChange
    this.#paths = [...initial].toSorted()
    this.#wake()
  }

  /** Watches these paths from now on, in place of those before; new ones are reported once. */
  setPaths(next: Iterable<string>): void {
    const changed = [...next].toSorted()
    if (changed.join('\0') === this.#paths.join('\0')) return
    this.#paths = changed
    this.#wake()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const folder of this.#folders.keys()) this.#drop(folder)
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((done) => {
      setTimeout(done, ms).unref()
    })
  }

  #drop(folder: string): void {
    this.#folders.get(folder)?.watcher.close()
    this.#folders.delete(folder)
  }

  #open(folder: string, names: ReadonlySet<string>): void {
    const inode = inodeOf(folder)
    if (inode === undefined) return
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || this.#folders.get(folder)?.names.has(name)) this.#wake()
      })
      watcher.on('error', () => {
        this.#drop(folder)
        this.#isPolling = true
        this.#wake()
      })
      this.#folders.set(folder, { watcher, inode, names })
    } catch {
      this.#isPolling = true
    }
  }

  /** Watches the folders that matter now: links may lead elsewhere, and folders be gone or new. */
  #follow(): void {
    const wanted = namesByFolder(this.#paths)
    for (const folder of this.#folders.keys()) if (!wanted.has(folder)) this.#drop(folder)
    for (const [folder, names] of wanted) {
      const known = this.#folders.get(folder)
      if (known && known.inode === inodeOf(folder)) known.names = names
      else {
        this.#drop(folder)
        this.#open(folder, names)
      }
    }
    clearTimeout(this.#timer)
    if (this.#isPolling && !this.#closed)
      this.#timer = setTimeout(() => this.#wake(), pollMs).unref()
  }

  /** Content that has not changed between two looks; what was emptied is looked at for longer. */
  async #stable(): Promise<Look> {
    let before = await lookAt(this.#paths)
    for (let sinceMs = 0; !this.#closed;) {
      await this.#sleep(settleMs)
      const now = await lookAt(this.#paths)
      sinceMs = isSameLook(now, before) ? sinceMs + settleMs : 0
      before = now
      if (sinceMs >= (isEmptied(now, this.#reported) ? emptySettleMs : settleMs)) break
    }
    return before
  }

  async #report(): Promise<void> {
    do {
      this.#isRepeated = false
      this.#follow()
      const now = await this.#stable()
      if (this.#closed || isSameLook(now, this.#reported)) continue
      this.#reported = now
      await this.#onChange()
    } while (this.#isRepeated && !this.#closed)
  }

  #wake(): void {
    if (this.#closed) return
    this.#isRepeated = true
    if (this.#isBusy) return
    this.#isBusy = true
    void this.#report().finally(() => {
      this.#isBusy = false
      if (this.#isRepeated) this.#wake()
    })
  }
}
