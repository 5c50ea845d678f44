/** `sparring docs`: the documentation that came with the package; needs no session and no network. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import { type Io, isTerminal, printJson, printLine, textWidth } from '../../terminal/cli/io.ts'
import { defineVerb, listedVerbs, type Verb } from '../../terminal/cli/verb.ts'
import type { DocMatch, DocPage, lookUp } from './support/doc-pages.ts'

/** The pages for completion: their names are too slow to read for a help text. */
export const docTopics =
  'agents attach certify chaos ci cli configuration container contract crm delivery-platform editors effects explore failures glossary http import indoor keys kubernetes library metrics openapi ordering-application own-protocol performance polling record-and-replay recording-proxy redaction scenarios software-service survive troubleshooting webhook'.split(
    ' ',
  )

/** Sections that are printed, which fit a screen. */
const maxMatches = 12

async function matchLines(matches: readonly DocMatch[], width: number): Promise<readonly string[]> {
  const { labelledLines } = await import('./support/clause-text.ts')
  const shown = matches.slice(0, maxMatches)
  const longest = Math.max(...shown.map(({ page }) => page.length))
  const left = matches.length - shown.length
  return [
    ...shown.flatMap(({ page, heading, line }) =>
      labelledLines(`${page.padEnd(longest)}  `, `${heading}: ${line}`, { width }),
    ),
    ...(left > 0 ? [`and ${left} more: add a word`] : []),
  ]
}

type DocAnswer = Awaited<ReturnType<typeof lookUp>>

/** A page is Markdown in a pipe, where a program reads it or it is searched. */
async function textOf({ text, entries = [], matches = [] }: DocAnswer, io: Io): Promise<string> {
  const width = textWidth(io)
  if (text !== undefined) {
    if (!isTerminal(io.stdout)) return text.trimEnd()
    const { docLines } = await import('./support/doc-text.ts')
    return docLines(text, { width, color: io.color }).join('\n')
  }
  const printed: string[] = []
  for (const { kind, lines } of entries)
    printed.push(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, ...(await lines(width)), '')
  if (entries.length > 0 && matches.length > 0) printed.push('In the pages:')
  return [...printed, ...(await matchLines(matches, width))].join('\n').trimEnd()
}

/** A page for each verb: its help, and that of the verbs below it. */
async function helpPages(verbs: readonly Verb[], io: Io): Promise<readonly DocPage[]> {
  const { runProgram } = await import('./support/program.ts')
  const { keepingStream } = await import('../../replay/cli/minimise/proof.ts')
  async function helpOf(verb: Verb, above: readonly string[]): Promise<string> {
    const words = [...above, verb.name]
    const { stream: stdout, text } = keepingStream()
    const program = { name: 'sparring', summary: '', version: '', verbs }
    await runProgram(program, [...words, '--help'], { ...io, stdout })
    const heading = `${'#'.repeat(words.length)} sparring ${words.join(' ')}`
    const below = await Promise.all(listedVerbs(verb).map((each) => helpOf(each, words)))
    return [`${heading}\n\n\`\`\`text\n${text().trimEnd()}\n\`\`\`\n`, ...below].join('\n')
  }
  const pages = verbs.map(async (verb) => ({
    page: `cli/${verb.name}`,
    text: await helpOf(verb, []),
  }))
  return Promise.all(pages)
}

/** Takes the list of verbs as a function, because the list contains this verb too. */
export const createDocsVerb = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    name: 'docs',
    summary:
      'read the documentation: a page, what a clause, rule or fault is about, or what has these words',
    arguments: [
      {
        name: 'topic',
        summary: 'a page, a clause, rule or fault (SE-1), or words (default: the index)',
        many: true,
        suggestions: docTopics,
      },
    ],
    flags: [jsonFlag, { name: 'no-pager', summary: 'print it, whatever its length' }, noColorFlag],
    details: `
On a terminal what is longer than the screen is shown by $PAGER, or by less. In a pipe a page is Markdown.

Examples:
  sparring docs                       the index
  sparring docs webhook               a page
  sparring docs up                    the help of a verb; cli/certify where a page has its name, too
  sparring docs ORD-EVR-03            a clause: what it says, what names it, and the pages that speak of it
  sparring docs SE-1                  a rule, with what to do when it fails
  sparring docs duplicate-late        a fault, with its options
  sparring docs token expired         the sections that have both words`,
    async run({ topic, json, 'no-pager': noPager }, io) {
      const { lookUp: find } = await import('./support/doc-pages.ts')
      const { showInPager } = await import('../../terminal/cli/pager.ts')
      const answer = await find(topic ?? [], await helpPages(verbs(), io))
      if (json) await printJson(io, answer)
      else if (noPager) await printLine(io.stdout, await textOf(answer, io))
      else await showInPager(await textOf(answer, io), io)
      return exitCode.done
    },
  })
