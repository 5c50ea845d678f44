/**
 * Parses and validates a fault specification: one schema for `--fault`, configuration, scenarios, the control API and
 * the dashboard. `{ drop: { event: CONFIRMED, nth: 1 } }`, `drop:event=CONFIRMED,nth=1`, or the name of a profile.
 */
import { z } from 'zod'
import type { CheckedFault, FaultAnchor } from '../engine/faults/fault.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { type OperationId, operations } from '../protocol/catalogue.ts'
import { findClosestName } from '../protocol/closest-name.ts'
import { Duration } from '../protocol/duration.ts'
import { strictObject } from '../base/lazy-object.ts'
import { ok, type Result } from '../protocol/result.ts'
import { impossibility } from './applicability.ts'
import { type FaultDefinition, isLegalFault } from './fault.ts'
import { optionNames } from './option-names.ts'
import { faultOptionsOf, faultText, parseFaultText } from './spec-text.ts'

/** The error message for an invalid fault specification, with a suggestion. */
type Issue = z.core.$ZodIssue

/** Of the alternatives of a union, the issue of the nearest one. */
function nearestIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const nearest = issue.errors
    .map(([first]) => first)
    .filter((each) => each !== undefined)
    .toSorted((a, b) => nearness(b) - nearness(a))[0]
  return nearest ? nearestIssue({ ...nearest, path: [...issue.path, ...nearest.path] }) : issue
}

/** A deep issue means that the outer shape matched; a wrong type means that it did not. */
const nearness = ({ code, path }: Issue): number =>
  path.length + (code === 'invalid_type' ? 0 : 0.5)

function unknownOption(key: string, names: readonly string[]): string {
  const closestName = findClosestName(key, names)
  const suggestion = closestName === undefined ? '' : ` (is ${closestName} meant?)`
  return `has no option "${key}"${suggestion}: it takes ${names.join(', ')}`
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )
}

function specProblem(options: unknown, names: readonly string[], error: z.ZodError): string {
  const [first] = error.issues
  if (!first) return 'cannot be so'
  const issue = nearestIssue(first)
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return unknownOption(issue.keys[0] ?? '', names)
  if (issue.path.length === 0)
    return `cannot be so: its options are an object, not ${shown(options)}`
  const expected = issue.code === 'invalid_value' ? issue.values.map(String) : []
  const value = valueAt(options, issue.path)
  const closestName = typeof value === 'string' ? findClosestName(value, expected) : undefined
  const suggestion = closestName === undefined ? '' : `; is ${closestName} meant?`
  const problem =
    expected.length > 0
      ? `${shown(value)} is none of ${expected.slice(0, 12).join(', ')}${expected.length > 12 ? ' …' : ''}${suggestion}`
      : issue.message.startsWith(shown(value))
        ? issue.message
        : `${shown(value)}: ${issue.message}`
  return `cannot be so at ${issue.path.join('.')}: ${problem}`
}

const oneOrMany = <Value extends z.ZodType>(value: Value) =>
  z.union([value, z.array(value).min(1)]).optional()

const operationIds = operations.map(({ id }) => id) as [OperationId, ...OperationId[]]

const common = strictObject(() => ({
  event: oneOrMany(z.string().min(1))
    .describe('event types; for a poll or an acknowledgment, those that it carries')
    .register(optionNames, { of: 'event' }),
  operation: oneOrMany(z.enum(operationIds)).describe('operations of the catalogue'),
  trigger: oneOrMany(z.string().min(1))
    .describe('what an accepted call asked for: confirm, dispatch …')
    .register(optionNames, { of: 'trigger' }),
  order: z
    .string()
    .min(1)
    .optional()
    .describe('an order’s id, or its slot: o2 is the second one')
    .register(optionNames, { of: 'order' }),
  merchant: z
    .string()
    .min(1)
    .optional()
    .describe('the id of a store, or its code: LOJA-001 is the first one')
    .register(optionNames, { of: 'merchant' }),
  channel: z.enum(['polling', 'webhook']).optional().describe('events on this channel alone'),
  nth: z
    .int()
    .min(1)
    .optional()
    .describe('the n-th such message of each order, and of all that belong to no single one'),
  after: z
    .string()
    .min(1)
    .optional()
    .describe('not before an event of this type of the same order was handed over')
    .register(optionNames, { of: 'event' }),
  limit: z.int().min(1).optional().describe('so many messages altogether'),
  burst: z
    .union([z.int().min(1).max(100), z.literal('outlast')])
    .optional()
    .describe(
      'this many attempts of the same call, or polls in a row; outlast: until the caller has given up once',
    ),
  percent: z.number().min(0).max(100).optional().describe('share of the cases in percent'),
  for: Duration.optional().describe('how long it is active'),
}))
type Common = z.infer<typeof common>

/** Options common to all faults. */
export const commonFaultOptions = () => common.shape

/** Schemas by fault, created on demand: most sessions need few of them. */
const schemas = new Map<FaultDefinition, z.ZodType<Record<string, unknown>>>()

export function faultOptionsSchema(
  definition: FaultDefinition,
): z.ZodType<Record<string, unknown>> {
  const known = schemas.get(definition)
  if (known) return known
  const made = z.strictObject({ ...definition.options.shape, ...common.shape })
  schemas.set(definition, made)
  return made
}

const toList = <Value>(value: Value | readonly Value[] | undefined): readonly Value[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value as Value]

/** Removes undefined members: facts are JSON data. */
const withoutUndefined = <Value extends object>(
  value: Value,
): { [Key in keyof Value]: Value[Key] } =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Value[Key]
  }

function anchorOf({ event, operation, trigger, order, merchant, channel, nth, after }: Common) {
  return withoutUndefined({
    event: toList(event),
    operation: toList(operation),
    trigger: toList(trigger),
    order,
    merchant,
    channel,
    nth,
    after,
  }) as FaultAnchor
}

function refuseUnknownFault(
  name: string,
  names: readonly string[],
  profiles: readonly string[],
): Result<never, Refusal> {
  if (profiles.includes(name))
    return refuse(
      'UNPROCESSABLE',
      `${name} is a profile, and takes no options: it is its name alone`,
    )
  const near = findClosestName(name, [...names, ...profiles])
  const remedy = near === undefined ? `they are ${names.join(', ')}` : `is ${near} meant?`
  return refuse('UNPROCESSABLE', `there is no fault "${name}": ${remedy}`)
}

interface ParsedOptions {
  readonly result: z.ZodSafeParseResult<Record<string, unknown>>
  /** The options after conversion of texts. */
  readonly meant: unknown
}

const invalidKeys = ({ issues }: z.ZodError): ReadonlySet<string> =>
  new Set(issues.map(({ path }) => String(path[0])))

/**
 * Validates against the fault's schema; in the one-line notation, a value that looks like a number may be meant as a
 * string.
 */
function parseOptions(
  definition: FaultDefinition,
  readOptions: (texts?: ReadonlySet<string>) => unknown,
): ParsedOptions {
  const schema = faultOptionsSchema(definition)
  const meant = readOptions()
  const result = schema.safeParse(meant)
  if (result.success) return { result, meant }
  const invalid = invalidKeys(result.error)
  const asTexts = schema.safeParse(readOptions(invalid))
  // Only values that are valid as strings stay strings; the issues of all others concern their converted values.
  const stillInvalid = asTexts.success ? new Set<string>() : invalidKeys(asTexts.error)
  const finalOptions = readOptions(new Set([...invalid].filter((key) => !stillInvalid.has(key))))
  return { result: schema.safeParse(finalOptions), meant: finalOptions }
}

function checkNamedFault(
  name: string,
  readOptions: (texts?: ReadonlySet<string>) => unknown,
  catalogue: readonly FaultDefinition[],
  profiles: readonly string[],
): Result<CheckedFault, Refusal> {
  const definition = catalogue.find((each) => each.name === name)
  if (!definition) {
    const names = catalogue.map((each) => each.name)
    return refuseUnknownFault(name, names, profiles)
  }
  const { result, meant } = parseOptions(definition, readOptions)
  if (!result.success) {
    const names = [...Object.keys(definition.options.shape), ...Object.keys(common.shape)]
    return refuse('UNPROCESSABLE', `the fault ${name} ${specProblem(meant, names, result.error)}`)
  }
  const own: Record<string, unknown> = {}
  const shared: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(result.data))
    if (value !== undefined) (key in common.shape ? shared : own)[key] = value
  const {
    limit,
    burst,
    percent = definition.percent,
    for: forMs,
    ...anchorOptions
  } = shared as Common
  const anchor = anchorOf(anchorOptions)
  const impossible = impossibility(definition.meets, anchor)
  if (impossible !== undefined) return refuse('UNPROCESSABLE', `the fault ${name} ${impossible}`)
  const { outlastShare } = definition
  const outlastPercent =
    outlastShare === undefined || burst !== undefined ? undefined : (percent ?? 100) * outlastShare
  return ok({
    name,
    anchor,
    meets: definition.meets,
    options: own,
    legal: isLegalFault(definition, own),
    text: faultText(name, meant as Record<string, unknown>),
    ...withoutUndefined({ limit, burst, percent, outlastPercent, forMs }),
  } as CheckedFault)
}

/** Validates a fault of the catalogue; profile names serve for suggestions in errors. */
export function checkFault(
  spec: unknown,
  catalogue: readonly FaultDefinition[],
  profiles: readonly string[] = [],
): Result<CheckedFault, Refusal> {
  if (typeof spec === 'string') {
    const parsedText = parseFaultText(spec)
    return parsedText.ok
      ? checkNamedFault(
          parsedText.value.name,
          (texts) => faultOptionsOf(parsedText.value, texts),
          catalogue,
          profiles,
        )
      : parsedText
  }
  const isObject = typeof spec === 'object' && spec !== null && !Array.isArray(spec)
  const entries: [string, unknown][] = isObject ? Object.entries(spec) : []
  const [entry] = entries
  if (!entry || entries.length !== 1)
    return refuse(
      'UNPROCESSABLE',
      'a fault is one name with its options, such as {"drop": {"event": "CONFIRMED"}}',
    )
  const [name, options] = entry
  return checkNamedFault(name, () => options ?? {}, catalogue, profiles)
}
