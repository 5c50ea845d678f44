/**
 * The options of a fault as data, for forms: what each takes, its words, default and description, read from the
 * schemas.
 */
import { z } from 'zod'
import { compact } from '../base/compact.ts'
import { findClosestName } from '../protocol/closest-name.ts'
import { Duration, formatDuration } from '../protocol/duration.ts'
import type { FaultDefinition } from './fault.ts'
import { type OptionNames, optionNames } from './option-names.ts'
import { checkFault, commonFaultOptions } from './spec.ts'
import { faultOptionsOf, parseFaultText } from './spec-text.ts'

export interface FaultOption {
  readonly name: string
  /** What it is for, from its schema. */
  readonly description: string
  /** What it takes, as a noun with its bounds or unit: `a whole number from 1 to 100`. */
  readonly accepts: string
  /** The words of its schema; empty where it takes other values. */
  readonly words: readonly string[]
  /** What its texts name. */
  readonly names?: OptionNames
  /** Several values may be joined by `|`. */
  readonly isMany: boolean
  /** The value without it, as it is typed. */
  readonly default?: string
}

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
}

interface Wrapper {
  readonly innerType?: z.ZodType
  readonly defaultValue?: unknown
}

/** The alternatives of a schema, those of an array included. */
const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf?.flatMap(alternativesOf) ?? (schema.items ? alternativesOf(schema.items) : [schema])

const wordsIn = (schema: JsonSchema): readonly string[] =>
  (schema.enum ?? ('const' in schema ? [schema.const] : [])).map(String)

const nameTexts: Readonly<Record<OptionNames, string>> = {
  event: 'an event type',
  trigger: 'what a call asks for',
  order: 'an order: its slot, such as o2, or its id',
  merchant: 'a merchant: its code or its id',
}

/** More words than these are left to the completion. */
const maxListedWords = 8

function wordText(words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? ''
  return words.length > maxListedWords
    ? 'one of the names that are offered'
    : `one of ${words.join(', ')}`
}

function numberText({ type, minimum, maximum }: JsonSchema): string {
  const noun = type === 'integer' ? 'a whole number' : 'a number'
  const from = minimum === undefined ? '' : ` from ${minimum}`
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return `${noun}${from}${isBounded ? ` to ${maximum}` : ''}`
}

function acceptsText(alternatives: readonly JsonSchema[], names: OptionNames | undefined): string {
  const words = alternatives.flatMap(wordsIn)
  const others = alternatives.filter((each) => wordsIn(each).length === 0)
  const texts = others.map((each) =>
    each.type === 'string' ? (names === undefined ? 'a text' : nameTexts[names]) : numberText(each),
  )
  return [...new Set([...texts, ...(words.length > 0 ? [wordText(words)] : [])])].join(', or ')
}

function optionOf(name: string, schema: z.ZodType): FaultOption {
  const { innerType, defaultValue } = schema.def as Wrapper
  const isDuration = schema === Duration || innerType === Duration
  const names = optionNames.get(schema)?.of
  const json = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
  const alternatives = alternativesOf(json)
  const isMany = json.anyOf?.some(({ items }) => items !== undefined) === true
  const accepts = isDuration
    ? 'a duration, such as 250ms, 5s, 2m or 1h'
    : acceptsText(alternatives, names)
  const usual =
    defaultValue === undefined
      ? undefined
      : isDuration
        ? formatDuration(Number(defaultValue))
        : typeof defaultValue === 'string'
          ? defaultValue
          : JSON.stringify(defaultValue)
  return {
    name,
    description: schema.description ?? '',
    accepts,
    words: isDuration ? [] : [...new Set(alternatives.flatMap(wordsIn))],
    isMany,
    ...compact({ names, default: usual }),
  }
}

const known = new WeakMap<FaultDefinition, readonly FaultOption[]>()

/** The options of a fault: its own first, then those of every fault. */
export function faultOptions(definition: FaultDefinition): readonly FaultOption[] {
  const found = known.get(definition)
  if (found) return found
  const shape: Readonly<Record<string, z.ZodType>> = {
    ...definition.options.shape,
    ...commonFaultOptions(),
  }
  const usualPercent = compact({ default: definition.percent?.toString() })
  const made = Object.entries(shape).map(([name, schema]) => ({
    ...optionOf(name, schema),
    ...(name === 'percent' ? usualPercent : {}),
  }))
  known.set(definition, made)
  return made
}

const schemaOf = ({ options }: FaultDefinition, name: string): z.ZodType | undefined =>
  ({ ...options.shape, ...commonFaultOptions() })[name]

/** Why a text cannot be the value of an option, as one sentence without its subject; undefined when it can. */
export function faultOptionProblem(
  definition: FaultDefinition,
  { name, accepts, words, isMany }: FaultOption,
  text: string,
): string | undefined {
  if (text.includes(','))
    return 'a comma ends the value of an option; several values are joined by |'
  const spec = `${definition.name}:${name}=${text}`
  const parsed = parseFaultText(spec)
  const schema = schemaOf(definition, name)
  if (!parsed.ok || !schema) return 'it is no option of this fault'
  const isValid = [undefined, new Set([name])].some(
    (texts) => schema.safeParse(faultOptionsOf(parsed.value, texts)[name]).success,
  )
  if (!isValid) {
    const wrong = text.split('|').find((word) => !words.includes(word.trim())) ?? text
    const near = findClosestName(wrong.trim(), words)
    const meant = near === undefined ? '' : `; is ${near} meant?`
    const several = !isMany && text.includes('|') ? ', and only one' : ''
    return `"${text}" is not ${accepts}${several}${meant}`
  }
  const checked = checkFault(spec, [definition])
  return checked.ok
    ? undefined
    : checked.error.message.replace(`the fault ${definition.name} `, 'it ')
}
