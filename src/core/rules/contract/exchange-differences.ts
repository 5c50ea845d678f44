/**
 * Compares one exchange with the operation of a contract: parameters, request body, status, headers and response body.
 */
import { readWithInt64 } from './exact-numbers.ts'
import { parseJson } from '../../traffic/json/try-parse-json.ts'
import { isDeeperThan, maxReadLevels } from '../../traffic/json/json-depth.ts'
import { headerIn } from '../invariants/judge/retained-exchange.ts'
import type { HeaderPairs } from '../../traffic/exchange.ts'
import {
  isRedactedHeader,
  type RedactedPlaces,
  redactedPlaces,
} from '../../traffic/redaction/redacted-places.ts'
import type { Contract } from './contract.ts'
import {
  addAll,
  asFound,
  type ComparedMessage,
  type ContractDifference,
  type FoundDifference,
  noneFound,
} from './contract-difference.ts'
import { type ContractBody, type ContractParameter, responseFor } from './contract-operations.ts'
import type { MessageDirection } from './normalise-schema.ts'
import {
  cookieValue,
  ownsQueryName,
  type ParsedQuery,
  parseQuery,
  queryValue,
  simpleValue,
} from './parameter-values.ts'
import { childOf } from './source.ts'

/** Compares the parameters of a request with those of an operation: in path, query, headers and cookies. */
function queryTextOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : (url.slice(at + 1).split('#')[0] ?? '')
}

function parameterDifferences(
  contract: Contract,
  parameter: ContractParameter,
  value: unknown,
  isRedacted: boolean,
): readonly FoundDifference[] {
  const { name, in: place, required, location, schema, isJson } = parameter
  const where = `${place} parameter ${name}`
  if (value === undefined)
    return required
      ? [{ place: where, text: 'is missing, and the contract requires it', demand: location }]
      : []
  if (!schema || isRedacted) return []
  const json = isJson && typeof value === 'string' ? parseJson(value, readWithInt64) : { value }
  if (!json) return [{ place: where, text: 'expected JSON', demand: location }]
  const chars = typeof value === 'string' ? value.length : 0
  const use = isJson ? 'request' : 'text'
  const mismatches = contract.validators.check(use, schema, json.value, { chars })
  return mismatches.length === 0
    ? noneFound
    : mismatches.map((mismatch) => asFound(mismatch, where))
}

function parameterValue(
  parameter: ContractParameter,
  { exchange: { request }, values }: ComparedMessage,
  query: ParsedQuery,
): unknown {
  const { name } = parameter
  switch (parameter.in) {
    case 'path': {
      const value = values.get(name)
      return value === undefined ? undefined : simpleValue(value, parameter)
    }
    case 'query':
      return queryValue(query, parameter)
    case 'header': {
      // Lines of one name are one value (RFC 9110, 5.3).
      const lines = request.headers.filter(([key]) => key.toLowerCase() === parameter.lowerName)
      const value = lines.length === 0 ? undefined : lines.map(([, line]) => line).join(', ')
      return value === undefined ? undefined : simpleValue(value, parameter)
    }
    default:
      return cookieValue(headerIn(request.headers, 'cookie'), name)
  }
}

/** Whether redaction has replaced the value of a parameter, or a part of it. */
function isRedactedParameter(
  { in: place, name, lowerName, shape }: ContractParameter,
  { exchange: { redactions } }: ComparedMessage,
): boolean {
  if (!redactions) return false
  if (place === 'header' || place === 'cookie')
    return isRedactedHeader(redactions, 'q', place === 'header' ? lowerName : 'cookie')
  const places = redactedPlaces(redactions, 'q.url')
  const pointer = place === 'path' ? '' : `/${name}`
  return places !== undefined && (shape === 'object' ? places.within('') : places.has(pointer))
}

function unknownNames(
  { contract, operation, exchange }: ComparedMessage,
  query: ParsedQuery,
): readonly FoundDifference[] {
  if (query.size === 0 || redactedPlaces(exchange.redactions, 'q.url')?.hasNames) return noneFound
  return [...query.keys()]
    .filter(
      (name) =>
        !contract.credentialNames.has(name) &&
        !operation.query.some((parameter) => ownsQueryName(name, parameter)),
    )
    .map((name) => ({
      place: `query parameter ${name}`,
      text: 'is no parameter that the contract has',
      demand: operation.location,
      isAdvice: true,
    }))
}

/** Adds what differs in the parameters of a request. */
function addParameterDifferences(message: ComparedMessage, found: FoundDifference[]): void {
  const { contract, operation, exchange } = message
  const query = parseQuery(queryTextOf(exchange.request.url))
  for (const parameter of operation.parameters) {
    const isEmptyText = query.get(parameter.name)?.every((text) => text === '')
    if (parameter.allowsEmpty && isEmptyText) continue
    const value = parameterValue(parameter, message, query)
    if (value !== undefined || parameter.required) {
      const isRedacted = isRedactedParameter(parameter, message)
      addAll(found, parameterDifferences(contract, parameter, value, isRedacted))
    }
  }
  addAll(found, unknownNames(message, query))
}

const isEmpty = (body: string | undefined): boolean => body === undefined || body === ''

interface Body {
  readonly side: MessageDirection
  readonly text: string
  readonly headers: HeaderPairs
  readonly redacted: RedactedPlaces | undefined
}

/** Fields of a form, each with its value or all of them. */
const formFields = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...parseQuery(text)].map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : [...values],
    ]),
  )

function bodyDifferences(
  contract: Contract,
  { content, entryFor, location }: ContractBody,
  { side, text, headers, redacted }: Body,
): readonly FoundDifference[] {
  const header = headerIn(headers, 'content-type')
  const entry = entryFor(header)
  if (entry === undefined)
    return [
      {
        place: 'header Content-Type',
        text: `is ${header}, and the contract has ${[...content.keys()].join(', ')}`,
        demand: childOf(location, 'content'),
      },
    ]
  const schema = content.get(entry.name)
  if (!schema) return noneFound
  const traits = { redacted, chars: text.length }
  if (entry.kind === 'json') {
    const json = parseJson(text, readWithInt64)
    if (!json) {
      const demand = childOf(location, 'content', entry.name)
      const wrong = isDeeperThan(text, maxReadLevels) ? 'is nested too deep' : 'is no JSON'
      return redacted?.has('') ? noneFound : [{ place: 'body', text: wrong, demand }]
    }
    const mismatches = contract.validators.check(side, schema, json.value, traits)
    if (mismatches.length === 0) return noneFound
    return mismatches.map((mismatch) =>
      mismatch.isUnjudged
        ? asFound(mismatch, 'body')
        : { ...asFound(mismatch, 'body'), isBody: true },
    )
  }
  if (entry.kind === 'other') return noneFound
  const value = entry.kind === 'form' ? formFields(text) : text
  return contract.validators
    .check('text', schema, value, traits)
    .map((each) => asFound(each, 'body'))
}

const noDifferences: readonly ContractDifference[] = []

const onSide = (
  found: readonly FoundDifference[],
  side: MessageDirection,
): readonly ContractDifference[] =>
  found.length === 0 ? noDifferences : found.map((each) => ({ ...each, side }))

export function requestDifferences(message: ComparedMessage): readonly ContractDifference[] {
  const { contract, operation, exchange } = message
  const { requestBody, location } = operation
  const { body: text = '', headers, wire } = exchange.request
  const redacted = redactedPlaces(exchange.redactions, 'q.body')
  const found: FoundDifference[] = []
  addParameterDifferences(message, found)
  if (wire?.base64 === undefined) {
    if (isEmpty(text)) {
      if (requestBody?.required && !redacted?.has(''))
        found.push({
          place: 'body',
          text: 'is missing, and the contract requires it',
          demand: requestBody.location,
        })
    } else if (requestBody)
      addAll(
        found,
        bodyDifferences(contract, requestBody, { side: 'request', text, headers, redacted }),
      )
    else
      found.push({
        place: 'body',
        text: 'is there, and the contract has none',
        demand: location,
      })
  }
  return onSide(found, 'request')
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export function responseDifferences(message: ComparedMessage): readonly ContractDifference[] {
  const { contract, operation, exchange } = message
  const { reply, failure, request } = exchange
  if (!reply) return []
  const { status, headers, body: text = '', wire } = reply
  const response = responseFor(operation, status)
  const redacted = redactedPlaces(exchange.redactions, 'p.body')
  const found: FoundDifference[] = []
  if (!response)
    found.push({
      place: 'status',
      text: `is ${status}, and the contract has ${[...operation.responses.keys()].join(', ') || 'none'}`,
      demand: childOf(operation.location, 'responses'),
    })
  for (const header of response?.headers ?? []) {
    const value = headerIn(headers, header.lowerName)
    const read = value === undefined ? undefined : simpleValue(value, header)
    if (read === undefined && !header.required) continue
    const isRedacted = isRedactedHeader(exchange.redactions, 'p', header.lowerName)
    for (const each of parameterDifferences(contract, header, read, isRedacted))
      found.push({ ...each, place: each.place.replace('header parameter', 'header') })
  }
  // Of an incomplete answer only the head was received.
  if (response && !failure && wire?.base64 === undefined && request.method !== 'HEAD') {
    if (!isEmpty(text)) {
      if (response.body)
        addAll(
          found,
          bodyDifferences(contract, response.body, { side: 'response', text, headers, redacted }),
        )
      else
        found.push({
          place: 'body',
          text: `of the answer ${status} is there, and the contract has none`,
          demand: response.location,
          isAdvice: true,
        })
    } else if (response.body && !bodiless.has(status) && !redacted?.has(''))
      found.push({
        place: 'body',
        text: `of the answer ${status} is missing, and the contract has one`,
        demand: response.body.location,
      })
  }
  return onSide(found, 'response')
}
