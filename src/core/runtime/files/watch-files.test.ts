/**
 * Files that are watched by their content, on a real file system and in the ways in which editors and deployments
 * write.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryUsage } from 'node:process'
import { afterEach, expect, test } from 'vitest'
import { FileWatcher } from './watch-files.ts'

const watchers: FileWatcher[] = []
afterEach(() => watchers.splice(0).forEach((each) => each.close()))

interface Watched {
  readonly folder: string
  readonly path: string
  /** The content at each call, oldest first. */
  readonly seen: readonly string[]
  /** Resolves when this was seen. */
  readonly until: (content: string) => Promise<void>
}

const contentOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : 'gone')

/** Watches a file in a new folder, and waits until it was seen for the first time. */
async function watched(
  prepare: (folder: string) => string = (folder) => {
    writeFileSync(join(folder, 'a.yaml'), 'one')
    return join(folder, 'a.yaml')
  },
): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-watch-'))
  const path = prepare(folder)
  const seen: string[] = []
  let wake = (): void => undefined
  watchers.push(
    new FileWatcher({
      paths: [path],
      onChange() {
        seen.push(contentOf(path))
        wake()
        return Promise.resolve()
      },
    }),
  )
  const until = async (content: string): Promise<void> => {
    while (seen.at(-1) !== content)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  await until(contentOf(path))
  return { folder, path, seen, until }
}

test('content that is written in place, or renamed over it, is seen once', async () => {
  const { folder, path, seen, until } = await watched()
  writeFileSync(path, 'two')
  await until('two')
  writeFileSync(join(folder, 'a.yaml~'), 'three')
  renameSync(join(folder, 'a.yaml~'), path)
  await until('three')
  // Written again as it is, and files beside it: nothing of that is a change.
  writeFileSync(path, 'three')
  writeFileSync(join(folder, 'other.yaml'), 'x')
  writeFileSync(path, 'four')
  await until('four')
  expect(seen).toEqual(['one', 'two', 'three', 'four'])
})

test('a file that is emptied and written in pieces is seen when it is whole', async () => {
  const { path, seen, until } = await watched()
  writeFileSync(path, '')
  for (const piece of ['t', 'w', 'o']) {
    await new Promise((resolve) => setImmediate(resolve))
    appendFileSync(path, piece)
  }
  await until('two')
  expect(seen).toEqual(['one', 'two'])
})

test('a file that is deleted is seen as gone, and seen again when it comes back', async () => {
  const { path, seen, until } = await watched()
  unlinkSync(path)
  await until('gone')
  writeFileSync(path, 'two')
  await until('two')
  // Gone for a moment only, as with editors that delete and write.
  unlinkSync(path)
  writeFileSync(path, 'three')
  await until('three')
  expect(seen).toEqual(['one', 'gone', 'two', 'three'])
})

test('a folder that is removed and made again is watched again', async () => {
  const { folder, path, seen, until } = await watched((parent) => {
    mkdirSync(join(parent, 'conf'))
    writeFileSync(join(parent, 'conf', 'a.yaml'), 'one')
    return join(parent, 'conf', 'a.yaml')
  })
  rmSync(join(folder, 'conf'), { recursive: true })
  await until('gone')
  mkdirSync(join(folder, 'conf'))
  writeFileSync(path, 'two')
  await until('two')
  writeFileSync(path, 'three')
  await until('three')
  expect(seen).toEqual(['one', 'gone', 'two', 'three'])
})

test.skipIf(process.platform === 'win32')(
  'symbolic links: the file behind is seen, and so is a link that leads elsewhere',
  async () => {
    // As in a mounted ConfigMap: a.yaml > ..data/a.yaml, and ..data > the newest folder.
    const { folder, seen, until } = await watched((parent) => {
      for (const [name, text] of [
        ['v1', 'one'],
        ['v2', 'two'],
      ] as const) {
        mkdirSync(join(parent, name))
        writeFileSync(join(parent, name, 'a.yaml'), text)
      }
      symlinkSync('v1', join(parent, '..data'))
      symlinkSync(join('..data', 'a.yaml'), join(parent, 'a.yaml'))
      return join(parent, 'a.yaml')
    })
    symlinkSync('v2', join(folder, '..new'))
    renameSync(join(folder, '..new'), join(folder, '..data'))
    await until('two')
    writeFileSync(join(folder, 'v2', 'a.yaml'), 'three')
    await until('three')
    expect(seen).toEqual(['one', 'two', 'three'])
  },
)

test('a file that is named later is seen at once, and after it changes', async () => {
  const { folder, path, seen, until } = await watched()
  const [watcher] = watchers
  const menu = join(folder, 'menu.csv')
  watcher?.setPaths([path, menu])
  writeFileSync(menu, 'x')
  writeFileSync(path, 'two')
  await until('two')
  const before = seen.length
  writeFileSync(menu, 'y')
  await expect.poll(() => seen.length, { timeout: 45_000 }).toBe(before + 1)
})

test('a device, a pipe and a huge file are reported without being read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-watch-'))
  const path = join(folder, 'a.yaml')
  writeFileSync(path, 'one')
  let calls = 0
  const onChange = (): Promise<void> => Promise.resolve(void calls++)
  watchers.push(new FileWatcher({ paths: [path], onChange }))
  const reported = (count: number): Promise<void> =>
    expect.poll(() => calls, { timeout: 45_000 }).toBe(count)
  await reported(1)
  const before = memoryUsage().rss
  const next = join(folder, 'next')
  const kinds: readonly (() => unknown)[] = [
    () => symlinkSync('/dev/zero', next),
    () => writeFileSync(next, 'two'),
    () => execFileSync('mkfifo', [next]),
    () => {
      writeFileSync(next, '')
      truncateSync(next, 10 * 1024 ** 3)
    },
    () => writeFileSync(next, 'three'),
  ]
  for (const [index, make] of kinds.entries()) {
    make()
    renameSync(next, path)
    await reported(index + 2)
  }
  expect(memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2)
})
