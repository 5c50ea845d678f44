/**
 * The parts in which two values differ and which may differ in every run: instants, generated ids, counters, addresses.
 * Only candidates: whether they are noise is decided over all exchanges.
 */
import { isRoundedPair, scalarTextOf } from '../../core/traffic/json/lossless-json.ts'
import { compact } from '../../core/base/compact.ts'
import { looksGenerated } from '../../core/traffic/entities/identifier-shapes.ts'
import { isTimeName } from '../../core/traffic/entities/shift-times.ts'
import { isPlaceholder } from '../../core/traffic/redaction/pseudonyms.ts'
import { comparableInstants, instantIn, instantInText, textFormOf } from './text-form.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { escapePointerKey, pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import { replyDocument, requestDocument } from './document.ts'
import { isJsonObject, isList, jsonType } from '../../core/traffic/recording/json.ts'
import { isIdentifierName } from '../../core/traffic/entities/identifier-kind.ts'
import type { JsonPathFrame } from '../../core/traffic/entities/edit-json.ts'
import { meaningAt, meaningOfName } from '../../core/traffic/entities/field-meaning.ts'

/** What a pointer into a message says about its value: the name of the field, and whether the protocol defines it. */
const isPosition = (key: string): boolean => /^\d+$/.test(key)

/** The innermost name of a pointer, also for members of a list. */
export const placeName = (where: string): string =>
  pointerKeys(where).findLast((key) => !isPosition(key)) ?? ''

const frameOf = (key: string): JsonPathFrame => ({
  list: isPosition(key),
  key,
  index: isPosition(key) ? Number(key) : 0,
  first: key,
  named: true,
})

/** Whether the protocol defines what an identifier there identifies. */
export function isTypedPlace(where: string, operation: Exchange['operation']): boolean {
  const [part, ...keys] = pointerKeys(where)
  const meaning =
    part === 'body'
      ? meaningAt(keys.map(frameOf), operation)
      : meaningOfName(placeName(where), operation)
  return meaning.kind !== undefined
}

/** Names that many kinds of things have. */
const genericNames: ReadonlySet<string> = new Set([
  'id',
  'number',
  'num',
  'no',
  'nr',
  'key',
  'ref',
  'seq',
])

/** The name of the series of a bare number: that of its field, or its place where the field's name is a common one. */
export function bareSeriesName(where: string, operation: Exchange['operation']): string {
  const name = placeName(where)
  if (!genericNames.has(name.toLowerCase())) return name
  return `${operation ?? ''} ${pointerKeys(where)
    .filter((key) => !isPosition(key))
    .join(' ')}`
}

export type VolatilePart =
  | { readonly kind: 'instant'; readonly distanceMs: number }
  | { readonly kind: 'address' }
  | {
      readonly kind: 'identifier'
      readonly old: string
      readonly new: string
      /** Its form or the name of its field says that it is one; else it must be known from elsewhere. */
      readonly isSure: boolean
      /** Series of the counter that it may be instead. */
      readonly series?: string
    }
  | CounterPart

export interface CounterPart {
  readonly kind: 'counter'
  /** The text around the number: `T-#`. */
  readonly form: string
  /** The form and where it occurs: several things may have numbers of one form. */
  readonly series: string
  readonly old: number
  readonly new: number
  /** The name of the field says that it holds the number of a thing. */
  readonly isNamed: boolean
  /** It is a word of a longer text. */
  readonly isWord: boolean
}

/** One differing part, with the alternatives of what it may be. */
export type VolatileAlternatives = readonly VolatilePart[]

export interface VolatileValue {
  readonly parts: readonly VolatileAlternatives[]
  /** The parts are words of a longer text. */
  readonly isText: boolean
}

export interface DifferingValues {
  readonly recorded: unknown
  readonly live: unknown
  /** Name of the field. */
  readonly name: string
  /** Where it occurs, for what is numbered there. */
  readonly series: string
  /** The protocol defines what the field identifies, so it was renamed already. */
  readonly isTyped: boolean
}

const isUuid = (text: string): boolean => textFormOf(text) === 'uuid'

const maxTextChars = 4000
const maxParts = 100
/** More digits are no exact number. */
const maxDigits = 15

const lastWord = (name: string): string =>
  (/[A-Z]?[a-z]+\d*$|[A-Z]+\d*$/.exec(name.replace(/[^A-Za-z\d]+$/, ''))?.[0] ?? name).toLowerCase()

/** Last words of the names of things that are numbered. */
const numberedWords: ReadonlySet<string> = new Set(
  'ticket number num no nr nro numero seq sequence counter serial reference receipt slip queue display id key ref senha comanda pedido protocolo nsu'.split(
    ' ',
  ),
)
/** Last words of the names of states and quantities, whose numbers mean something. */
const meaningfulWords: ReadonlySet<string> = new Set(
  'status state type kind code phase step stage level mode version price amount total value quantity qty fee tax discount tip change balance minutes seconds hours percent rate size weight count table seat currency latitude longitude'.split(
    ' ',
  ),
)

const isMeaningful = (name: string): boolean => meaningfulWords.has(lastWord(name))

const isCode = (text: string): boolean => /^[\w.~+/=:-]{4,200}$/.test(text)
/** It has digits, or capitals after small letters. */
const isNoWord = (text: string): boolean => /\d|[a-z][A-Z]/.test(text)

/** Both look like generated codes; one may be letters by chance. */
const areCodes = (recorded: string, live: string): boolean =>
  isCode(recorded) && isCode(live) && (isNoWord(recorded) || isNoWord(live))

const seriesKey = (form: string, place: string): string => `${form}\u0000${place}`

/** The number in which two texts differ alone; undefined when they differ in anything else. */
export function counterIn(
  recorded: string,
  live: string,
  { name, series }: Pick<DifferingValues, 'name' | 'series'>,
): CounterPart | undefined {
  const [before, now] = [recorded.split(/(\d+)/), live.split(/(\d+)/)]
  if (before.length !== now.length) return undefined
  const differing = before.flatMap((part, index) => (part === now[index] ? [] : [index]))
  const [index = 0] = differing
  const [old = '', fresh = ''] = [before[index], now[index]]
  if (differing.length !== 1 || index % 2 === 0) return undefined
  if (old.length > maxDigits || fresh.length > maxDigits) return undefined
  const form = before.with(index, '#').join('')
  return {
    kind: 'counter',
    form,
    series: seriesKey(form, series),
    old: Number(old),
    new: Number(fresh),
    isNamed: numberedWords.has(lastWord(name)),
    isWord: name === '',
  }
}

function identifierIn(
  recorded: string,
  live: string,
  name: string,
  series: string | undefined,
): VolatilePart | undefined {
  if (recorded.length !== live.length && series === undefined) return undefined
  if (isUuid(recorded) !== isUuid(live) || !areCodes(recorded, live)) return undefined
  const isGenerated = looksGenerated(recorded) && looksGenerated(live)
  return {
    kind: 'identifier',
    old: recorded,
    new: live,
    isSure: isGenerated || isIdentifierName(name),
    ...compact({ series }),
  }
}

/** What a whole text, or a word of a longer one, may be. */
function alternativesOf(
  recorded: string,
  live: string,
  { name, series }: Pick<DifferingValues, 'name' | 'series'>,
): VolatileAlternatives {
  const counter = isMeaningful(name) ? undefined : counterIn(recorded, live, { name, series })
  const identifier = identifierIn(recorded, live, name, counter?.series)
  return [counter, identifier].filter((each) => each !== undefined)
}

/** None for instants in other forms: the instant changes from run to run, its form does not. */
function instantParts(recorded: unknown, live: unknown): VolatileAlternatives {
  const instants = comparableInstants(recorded, live)
  return instants ? [{ kind: 'instant', distanceMs: Math.abs(instants[1] - instants[0]) }] : []
}

const origin = /^https?:\/\/[^\s/"'<>?#]+$/i
/** Origins of URLs, date-times, and words with a digit. */
const volatileWord =
  /https?:\/\/[^\s/"'<>?#]+|\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?|[\w~-]*\d[\w~-]*(?:\.[\w~-]+)*|[\w-]{16,}/g

const hostOf = (text: string): string => text.replace(/^https?:\/\//i, '').replace(/:\d+$/, '')
const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host)

/** Another port, or another way to this machine. */
function isSameHost(recorded: string, live: string): boolean {
  const [before, now] = [hostOf(recorded), hostOf(live)]
  return before === now || (isLoopback(before) && isLoopback(now))
}

/** What a word of a text may be; a bare number is one of the series of such texts. */
function wordAlternatives(recorded: string, live: string, text: string): VolatileAlternatives {
  if (origin.test(recorded) && origin.test(live))
    return isSameHost(recorded, live) ? [{ kind: 'address' }] : []
  if (instantInText(recorded) !== undefined && instantInText(live) !== undefined)
    return instantParts(recorded, live)
  return alternativesOf(recorded, live, { name: '', series: text })
}

/** Texts that are equal but for some words. */
function partsOfText(recorded: string, live: string): readonly VolatileAlternatives[] | undefined {
  if (recorded.length > maxTextChars || live.length > maxTextChars) return undefined
  const around = recorded.replaceAll(volatileWord, '\u0000')
  if (around !== live.replaceAll(volatileWord, '\u0000')) return undefined
  const [before, now] = [recorded.match(volatileWord) ?? [], live.match(volatileWord) ?? []]
  const parts = before.flatMap((word, index) => {
    const other = now[index] ?? ''
    const text = `${around} ${index}`
    return word === other ? [] : [wordAlternatives(word, other, text)]
  })
  return parts.length > maxParts || parts.some((each) => each.length === 0) ? undefined : parts
}

const isInstants = (recorded: unknown, name: string): boolean =>
  instantInText(recorded) !== undefined || isTimeName(name)

/** All parts in which the values differ; undefined when something differs that is the same in every run. */
export function volatileParts({
  recorded,
  live,
  name,
  series,
  isTyped,
}: DifferingValues): VolatileValue | undefined {
  const [left, right] = [scalarTextOf(recorded), scalarTextOf(live)]
  if (left === undefined || right === undefined || jsonType(recorded) !== jsonType(live))
    return undefined
  if (instantIn(recorded) !== undefined && instantIn(live) !== undefined)
    if (isInstants(recorded, name)) {
      const parts = instantParts(recorded, live)
      return parts.length > 0 ? { parts: [parts], isText: false } : undefined
    }
  if (isTyped || isPlaceholder(left) || isPlaceholder(right)) return undefined
  if (typeof recorded !== 'string' && !/^\d+$/.test(left + right)) return undefined
  if (isRoundedPair(recorded, live)) return undefined
  const whole = alternativesOf(left, right, { name, series })
  const isSure = whole.some((each) => each.kind === 'identifier' && each.isSure)
  if (isSure || !/[\s/]/.test(left))
    return whole.length > 0 ? { parts: [whole], isText: false } : undefined
  const parts = isMeaningful(name) ? undefined : partsOfText(left, right)
  return parts && { parts, isText: true }
}

/** A number in a value, with the series that it would belong to if it were a counter. */
export interface SeriesNumber {
  readonly series: string
  readonly number: number
}

function numbersInWord(word: string, place: string): readonly SeriesNumber[] {
  const parts = word.split(/(\d+)/)
  return parts.flatMap((part, index) =>
    index % 2 === 0 || part.length > maxDigits
      ? []
      : [{ series: seriesKey(parts.with(index, '#').join(''), place), number: Number(part) }],
  )
}

/** All numbers in a value, in the series of `volatileParts`. */
export function seriesNumbers(value: unknown, place: string): readonly SeriesNumber[] {
  const text = scalarTextOf(value)
  if (text === undefined || text.length > maxTextChars) return []
  if (!/[\s/]/.test(text)) return numbersInWord(text, place)
  const around = text.replaceAll(volatileWord, '\u0000')
  return (text.match(volatileWord) ?? []).flatMap((word, index) =>
    numbersInWord(word, `${around} ${index}`),
  )
}

export interface ExchangePair {
  readonly recorded: Exchange
  readonly live: Exchange
}

const maxLeaves = 20_000

/** The equal leaves at equal places of two documents. */
function* equalLeaves(
  recorded: unknown,
  live: unknown,
): Generator<{ where: string; value: unknown }> {
  const open: (readonly [unknown, unknown, string])[] = [[recorded, live, '']]
  for (let count = 0; count < maxLeaves; count++) {
    const [left, right, where] = open.pop() ?? [undefined, undefined, undefined]
    if (where === undefined) return
    if (isList(left) && isList(right))
      for (const [index, each] of left.entries())
        open.push([each, right[index], `${where}/${index}`])
    else if (isJsonObject(left) && isJsonObject(right)) {
      for (const key of Object.keys(left))
        if (Object.hasOwn(right, key))
          open.push([left[key], right[key], `${where}/${escapePointerKey(key)}`])
    } else if (left === right) yield { where, value: left }
  }
}

/** The numbers in values that are equal on both sides: they tell whether a counter that differs elsewhere jumped. */
export function* unchangedNumbers({ recorded, live }: ExchangePair): Generator<SeriesNumber> {
  const { operation } = recorded
  for (const documentOf of [requestDocument, replyDocument])
    for (const { where, value } of equalLeaves(documentOf(recorded), documentOf(live)))
      yield* seriesNumbers(value, bareSeriesName(where, operation))
}
