/**
 * `llms.txt` and `llms-full.txt`, for programs that read for a person: the index of the documentation with a sentence for each
 * page, and all pages in one file.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ''

/** The first sentence of the first paragraph; empty where a page begins otherwise. */
function firstSentence(text: string): string {
  const body = text.replaceAll(/<!--[^]*?-->|^---\n[^]*?\n---\n/g, '').replace(/^\s*# .*\n+/, '')
  const [paragraph = ''] = body.trim().split(/\n\n/)
  if (/^(?:#|```|\||[-*] )/.test(paragraph)) return ''
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? ''
}

/** The rows of the index of docs/: what they are for, and their pages. */
const indexRows = (): readonly (readonly [title: string, pages: readonly string[]])[] =>
  Array.from(
    read('docs/README.md').matchAll(/^\| ([^|]*?) *\| (\[.*) \|$/gm),
    ([, title = '', links = '']) => [
      title,
      Array.from(links.matchAll(/\]\(([^)]+\.md)\)/g), ([, page = '']) => `docs/${page}`),
    ],
  )

function llmsText(): string {
  const { description } = JSON.parse(read('package.json')) as { readonly description: string }
  const line = (page: string): string => {
    const [title, sentence] = [titleOf(read(page)), firstSentence(read(page))]
    return `- [${title}](${page})${sentence === '' ? '' : `: ${sentence}`}`
  }
  return [
    '# Sparring',
    '',
    `> ${description}`,
    '',
    'Start with [README.md](README.md). `npx sparring docs <words>` finds pages, clauses, rules and faults; `npx sparring mcp` serves agents.',
    ...indexRows().flatMap(([title, pages]) => [
      '',
      `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
      '',
      ...pages.map(line),
    ]),
    '',
  ].join('\n')
}

/** Every page, each after its path; its links are as from the root. */
const fullText = (): string =>
  ['README.md', ...globSync('docs/**/*.md', { cwd: root }).toSorted()]
    .map((file) => {
      const text = read(file).replaceAll(
        /\]\((?!https?:|#)([^)\s]+)\)/g,
        (_, link: string) => `](${join(dirname(file), link)})`,
      )
      return `<!-- ${file} -->\n\n${text.trim()}\n`
    })
    .join('\n')

export const llmsPages = { 'llms.txt': llmsText, 'llms-full.txt': fullText } as const
