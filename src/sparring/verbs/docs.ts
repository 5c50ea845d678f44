/** `sparring docs`: the documentation that came with the package; needs no session and no network. */
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import { type Io, isTerminal, printJson, printLine, textWidth } from '../../terminal/cli/io.ts'
import { defineVerb, listedVerbs, type Verb } from '../../terminal/cli/verb.ts'
import type { DocAnswer, DocMatch, DocPage } from './support/doc-pages.ts'

/** The pages for completion: their names are too slow to read for a help text. */
export const docTopics =
  'agents attach certify chaos ci cli configuration container contract crm delivery-platform editors effects explore failures glossary http import indoor keys kubernetes library metrics openapi ordering-application polling record-and-replay recording-proxy redaction scenarios software-service survive troubleshooting webhook'.split(
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
      labelledLines(`${page.padEnd(longest)}  `, line === '' ? heading : `${heading}: ${line}`, {
        width,
      }),
    ),
    ...(left > 0 ? [`and ${left} more: add a word`] : []),
  ]
}

/** A page is Markdown in a pipe, where a program reads it or it is searched. */
async function textOf(answer: DocAnswer, io: Io): Promise<string> {
  const width = textWidth(io)
  if (answer.kind === 'page') {
    if (!isTerminal(io.stdout)) return answer.text.trimEnd()
    const { docLines } = await import('./support/doc-text.ts')
    return docLines(answer.text, { width, color: io.color }).join('\n')
  }
  const found = answer.matches.length === 0 ? [] : await matchLines(answer.matches, width)
  if (answer.kind === 'matches') return found.join('\n')
  const entries: string[] = []
  for (const { kind, lines } of answer.entries)
    entries.push(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, ...(await lines(width)), '')
  return [...entries, ...(found.length === 0 ? [] : ['In the pages:', ...found])]
    .join('\n')
    .trimEnd()
}

/** A page for each verb: its help, and that of the verbs below it. */
async function helpPages(verbs: readonly Verb[], io: Io): Promise<readonly DocPage[]> {
  const { runProgram } = await import('./support/program.ts')
  const { Writable } = await import('node:stream')
  async function helpOf(verb: Verb, above: readonly string[]): Promise<string> {
    const words = [...above, verb.name]
    let text = ''
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    })
    const program = { name: 'sparring', summary: '', version: '', verbs }
    await runProgram(program, [...words, '--help'], { ...io, stdout })
    let all = `${'#'.repeat(words.length)} sparring ${words.join(' ')}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`
    for (const each of listedVerbs(verb)) all += `\n${await helpOf(each, words)}`
    return all
  }
  const pages: DocPage[] = []
  for (const verb of verbs) pages.push({ page: `cli/${verb.name}`, text: await helpOf(verb, []) })
  return pages
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
      const { lookUp } = await import('./support/doc-pages.ts')
      const answer = await lookUp(topic ?? [], () => helpPages(verbs(), io))
      if (json) {
        await printJson(io, answer)
        return exitCode.done
      }
      const text = await textOf(answer, io)
      if (noPager) await printLine(io.stdout, text)
      else await (await import('../../terminal/cli/pager.ts')).showInPager(text, io)
      return exitCode.done
    },
  })
