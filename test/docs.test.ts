/** The documents name files, scripts and links that exist. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { dialectNames } from '../src/core/protocol/dialects/catalogue.ts'
import { docTopics } from '../src/sparring/verbs/docs.ts'
import { entryOf } from '../src/sparring/verbs/support/agent-setup.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const documents = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,examples,recordings,scenarios,src,bench,bin,test}/**/*.md', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }),
]
const pages = globSync('docs/**/*.md', { cwd: root })
const bytesOf = (text: string): number => Buffer.byteLength(text)

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

test('README.md is read in one go, CONTRIBUTING.md in two, and no page is a book', () => {
  expect(bytesOf(read('README.md'))).toBeLessThanOrEqual(9216)
  expect(bytesOf(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(16_384)
  expect(pages.filter((page) => bytesOf(read(page)) > 40_000)).toEqual([])
})

test('README.md names the protocol and every dialect', () => {
  const text = read('README.md')
  expect(text).toContain('OpenDelivery')
  expect(dialectNames.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

const codeOf = (text: string): readonly string[] => text.match(/```[^]*?\n```/g) ?? []
const linksOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, link = '']) => link)

test('README.pt-BR.md has the commands, the code and the links of README.md', () => {
  const [english, portuguese] = [read('README.md'), read('README.pt-BR.md')]
  expect(codeOf(portuguese)).toEqual(codeOf(english))
  const own = (text: string) => new Set(linksOf(text).filter((link) => !link.startsWith('README')))
  expect(own(portuguese)).toEqual(own(english))
  const inline = (text: string) =>
    new Set(
      Array.from(text.replaceAll(/```[^]*?\n```/g, '').matchAll(/`([^`]+)`/g), ([, code = '']) =>
        code.replaceAll(/<[^>]*>/g, '<>').replaceAll('\n', ' '),
      ),
    )
  expect(inline(portuguese)).toEqual(inline(english))
})

test('the indexes fit a screen, and lead to every page', () => {
  for (const index of ['docs/README.md', 'docs/cli.md'])
    expect(read(index).trimEnd().split('\n').length).toBeLessThanOrEqual(24)
  const linked = ['docs/README.md', 'docs/cli.md'].flatMap((index) =>
    linksOf(read(index)).map((link) => join('docs', link)),
  )
  expect(new Set(linked)).toEqual(new Set(pages.filter((page) => page !== 'docs/README.md')))
  expect(docTopics).toEqual(
    globSync('docs/*.md', { cwd: root })
      .map((page) => page.slice('docs/'.length, -'.md'.length))
      .filter((name) => name !== 'README')
      .toSorted(),
  )
})

test.each(globSync('docs/skills/*/SKILL.md', { cwd: root }))(
  '%s is a skill as agents read it',
  (file) => {
    const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(read(file)) ?? []
    const { name, description, ...others } = parse(head) as Readonly<Record<string, string>>
    expect(others).toEqual({})
    expect(name).toMatch(/^[a-z\d]+(?:-[a-z\d]+)*$/)
    expect(file).toBe(`docs/skills/${name}/SKILL.md`)
    expect(description).toMatch(/^.{40,1024}$/)
    expect(body.split('\n').length).toBeLessThan(200)
  },
)

test('docs/agents.md prints the entries that agent setup writes', () => {
  const page = read('docs/agents.md')
  for (const agent of ['claude', 'cursor', 'vscode', 'codex'] as const)
    expect(page).toContain(`\n${entryOf(agent)}\`\`\``)
})
