/** The documents name files, scripts and links that exist. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const documents = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,examples,recordings,scenarios,src,bench,bin}/**/*.md', { cwd: root }),
]

/** Paths of this repository in a text: `src/…`, `test/…` and the like, up to the first placeholder. */
const pathsIn = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/(?<![\w/.-])((?:src|test|bench|bin|docs)\/[\w./-]*)/g),
    ([, path = '']) => path.replace(/[./-]+$/, ''),
  )

test.each(documents)('%s names only paths that exist', (file) => {
  const missing = pathsIn(read(file)).filter((path) => !existsSync(join(root, path)))
  expect([...new Set(missing)]).toEqual([])
})

test('CONTRIBUTING.md names only files of src that exist, also by their wing or room', () => {
  const named = Array.from(
    read('CONTRIBUTING.md').matchAll(/`((?:[a-z][\w-]*\/)+[\w.-]+\.ts)`/g),
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(
    (path) => !['', 'src', 'src/core'].some((base) => existsSync(join(root, base, path))),
  )
  expect(missing).toEqual([])
})

test.each(documents)('%s links only to files that exist', (file) => {
  const links = Array.from(read(file).matchAll(/\]\(([^)#\s]+)/g), ([, link = '']) => link)
  const missing = links.filter(
    (link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(file), link)),
  )
  expect(missing).toEqual([])
})

test.each(documents)('%s names only scripts of package.json', (file) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = Array.from(
    read(file).matchAll(/\bnpm run ([a-z][\w:-]*)/g),
    ([, name = '']) => name,
  )
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('CONTRIBUTING.md names every wing of src', () => {
  const toured = Array.from(
    read('CONTRIBUTING.md').matchAll(/^ {2}([\w-]+)\/ /gm),
    ([, room]) => room,
  )
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
  const named = rooms.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  expect(new Set(toured)).toEqual(new Set(named))
})
