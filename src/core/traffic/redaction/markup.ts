/**
 * Redacts XML and HTML: tags and attributes are keys, with their content as value. It scans tokens, as the JSON
 * redactor does: incomplete or wrongly nested markup is redacted as far as it goes.
 */
import { compact } from '../../base/compact.ts'
import type { RedactionClass } from './class.ts'
import { classForKey, classOfPart, keyMeaningOf, surroundingsIn } from './keys.ts'
import { redactPatterns } from './patterns.ts'
import {
  withDeeperNotation,
  replaceByClass,
  type DocumentTopic,
  type RedactionWalk,
} from './walk.ts'

interface Element extends DocumentTopic {
  readonly name: string
  /** The class of every text inside. */
  readonly forAll: RedactionClass | undefined
  readonly number: number
}

interface Scan {
  readonly walk: RedactionWalk
  readonly path: string
  readonly open: Element[]
  readonly root: DocumentTopic
  /** Numbers of the elements with a part that identifies a person, such as an e-mail address. */
  readonly personal: Set<number>
  elements: number
}

const rootNumber = 0

const tokens =
  /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<(\/?)((?:[\w.-]+:)?[\w.-]+)((?:[^<>"']|"[^"<]*(?:"|$)|'[^'<]*(?:'|$))*)(>|$)/g
const attributes = /([\w:.-]+)(\s*=\s*)("[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'<>]+)/g
/** Maximum depth; deeper elements are treated as siblings. */
const maxDepth = 1000

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Redacts a value between quotes or tags: by its class, or as any text. */
function redactValue(scan: Scan, value: string, definition: RedactionClass | undefined): string {
  const { walk, path } = scan
  if (value.trim() === '') return value
  if (!definition) return walk.text(withDeeperNotation(walk), value, path, false)
  const [, before = '', inner = '', behind = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(value) ?? []
  return before + replaceByClass(walk, definition, inner, path) + behind
}

/** What an element is about, or the document where there is none. */
function topicOf({ root, personal }: Scan, element: Element | undefined): DocumentTopic {
  const topic = element ?? root
  const isPersonal = topic.person === undefined && personal.has(element?.number ?? rootNumber)
  return isPersonal ? { ...topic, person: true } : topic
}

const currentTopic = (scan: Scan): DocumentTopic => topicOf(scan, scan.open.at(-1))

function classOfText(scan: Scan, value: string): RedactionClass | undefined {
  const element = scan.open.at(-1)
  if (!element || value.trim() === '') return undefined
  const outer = scan.open.at(-2)
  const around = topicOf(scan, outer)
  const meaning = keyMeaningOf(element.name)
  const own = classForKey(meaning, value.trim(), around)
  if (own?.identifiesPerson && !meaning.isId) scan.personal.add(outer?.number ?? rootNumber)
  return (
    own ??
    (outer && classOfPart(meaning, keyMeaningOf(outer.name), around)) ??
    (meaning.isId ? undefined : element.forAll)
  )
}

/** `<input name="email" value="…">`: an attribute may name what another one holds. */
function redactAttributes(scan: Scan, text: string): string {
  if (!text.includes('=')) return text
  const named = /\s(?:name|key|field)\s*=\s*["']([^"'<>]{1,40})["']/i.exec(text)?.[1]
  const isPassword = /\stype\s*=\s*["']?password/i.test(text)
  return text.replaceAll(attributes, (_, name: string, sign: string, written: string) => {
    const quote = /^["']/.exec(written)?.[0] ?? ''
    const end = quote !== '' && written.length > 1 && written.endsWith(quote) ? quote : ''
    const value = written.slice(quote.length, written.length - end.length)
    const bare = localName(name)
    const key = bare === 'value' ? (isPassword ? 'password' : (named ?? bare)) : bare
    const definition = classForKey(keyMeaningOf(key), value, currentTopic(scan))
    if (definition?.identifiesPerson) scan.personal.add(scan.open.at(-1)?.number ?? rootNumber)
    return name + sign + quote + redactValue(scan, value, definition) + end
  })
}

function openElement(scan: Scan, name: string): void {
  const { open } = scan
  if (open.length >= maxDepth) return
  const around = { ...currentTopic(scan), forAll: open.at(-1)?.forAll }
  const { forAll, ...topic } = surroundingsIn(keyMeaningOf(name), around)
  open.push({ name, forAll, number: ++scan.elements, ...compact(topic) })
}

/** Closes the innermost element of that name, with the elements left open in it. */
function closeElement({ open }: Scan, name: string): void {
  for (let at = open.length - 1; at >= 0 && at >= open.length - 20; at--)
    if (open[at]?.name === name) {
      open.length = at
      return
    }
}

const withoutValue = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

function takeTag(scan: Scan, match: RegExpMatchArray): string {
  const [whole, , slash = '', name = '', rest = '', end = ''] = match
  const bare = localName(name)
  if (slash !== '') {
    closeElement(scan, bare)
    return whole
  }
  // Attributes have the context of their own element: `<customer name="…">`.
  openElement(scan, bare)
  const own = redactAttributes(scan, rest)
  if (rest.endsWith('/') || withoutValue.test(bare)) closeElement(scan, bare)
  return `<${name}${own}${end}`
}

export function redactMarkup(
  walk: RedactionWalk,
  text: string,
  path: string,
  root: DocumentTopic,
): string {
  const personal = new Set<number>()
  const redact = () => redactElements({ walk, path, open: [], root, personal, elements: 0 }, text)
  const once = redact()
  // Elements come in any order: whether a name is a person's is known at the end of what is around it.
  return personal.size > 0 ? redact() : once
}

function redactElements(scan: Scan, text: string): string {
  const { walk, path } = scan
  let result = ''
  let done = 0
  const between = (to: number): string => {
    const value = text.slice(done, to)
    return redactValue(scan, value, classOfText(scan, value))
  }
  for (const match of text.matchAll(tokens)) {
    result += between(match.index)
    const [whole, data] = match
    if (data !== undefined) {
      const next = redactValue(scan, data, classOfText(scan, data))
      result += next === data ? whole : `<![CDATA[${next}]]>`
    } else if (whole.startsWith('<!--'))
      result += walk.text(withDeeperNotation(walk), whole, path, false)
    else result += takeTag(scan, match)
    done = match.index + whole.length
  }
  // The scanner takes `<ana@example.org>` for a tag.
  return redactPatterns(walk, result + between(text.length), path, true)
}
