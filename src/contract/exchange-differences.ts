/** Compares one exchange with the operation of a contract: parameters, request body, status, headers and response body. */
import { type Exchange, type HeaderPairs, headerValue } from '../traffic/exchange.ts'
import type { Contract } from './contract.ts'
import {
  type ContractBody,
  type ContractOperation,
  type ContractParameter,
  responseFor,
} from './contract-operations.ts'
import { isFormType, isJsonType, isTextType, matchingMediaType } from './media-types.ts'
import type { SchemaMismatch } from './mismatch.ts'
import type { MessageDirection } from './normalise-schema.ts'
import {
  cookieValue,
  ownsQueryName,
  parseQuery,
  queryValue,
  simpleValue,
} from './parameter-values.ts'
import { childOf, type DocumentLocation } from './source.ts'

/** One difference between an exchange and its contract. */
export interface ContractDifference {
  readonly side: MessageDirection
  /** Where in the message: `body /items/0/price`, `query limit`, `status`. */
  readonly place: string
  readonly text: string
  readonly demand: DocumentLocation | undefined
  /** The whole body was read, so that the protocol can be asked about it. */
  readonly isBody?: true
  /** Nothing forbids it. */
  readonly isAdvice?: true
}

export interface ComparedMessage {
  readonly contract: Contract
  readonly operation: ContractOperation
  readonly exchange: Exchange
  /** Texts of the path parameters. */
  readonly values: ReadonlyMap<string, string>
}

type Found = Omit<ContractDifference, 'side'>

const isEmpty = (body: string | undefined): boolean => body === undefined || body === ''

const queryTextOf = (url: string): string => url.split('#')[0]?.split('?').slice(1).join('?') ?? ''

const asFound = ({ place, text, demand }: SchemaMismatch, where: string): Found => ({
  place: `${where}${place === '' ? '' : ` ${place}`}`,
  text,
  demand,
})

function parameterDifferences(
  contract: Contract,
  parameter: ContractParameter,
  value: unknown,
): readonly Found[] {
  const { name, in: place, required, location, schema, isJson } = parameter
  const where = `${place} parameter ${name}`
  if (value === undefined)
    return required
      ? [{ place: where, text: 'is missing, and the contract requires it', demand: location }]
      : []
  if (!schema) return []
  let read = value
  if (isJson && typeof value === 'string')
    try {
      read = JSON.parse(value)
    } catch {
      return [{ place: where, text: 'expected JSON', demand: location }]
    }
  return contract.validators
    .check(isJson ? 'request' : 'text', schema, read)
    .map((mismatch) => asFound(mismatch, where))
}

function parametersOf({
  contract,
  operation,
  exchange,
  values,
}: ComparedMessage): readonly Found[] {
  const { url, headers } = exchange.request
  const text = queryTextOf(url)
  const query = parseQuery(text)
  const { parameters } = operation
  const valueOf = (parameter: ContractParameter): unknown => {
    const { name } = parameter
    switch (parameter.in) {
      case 'path': {
        const value = values.get(name)
        // Other styles of paths are not read.
        return value !== undefined && parameter.style === 'simple'
          ? simpleValue(value, parameter)
          : value
      }
      case 'query':
        return queryValue(query, parameter)
      case 'header': {
        const value = headerValue(headers, name)
        return value === undefined ? undefined : simpleValue(value, parameter)
      }
      default:
        return cookieValue(headerValue(headers, 'cookie'), name)
    }
  }
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const unknownNames = [...query.keys()].filter(
    (name) =>
      !contract.credentialNames.has(name) &&
      !inQuery.some((parameter) => ownsQueryName(name, parameter)),
  )
  return [
    ...parameters
      .filter(({ in: place, style }) => place !== 'path' || style === 'simple')
      .flatMap((parameter) => parameterDifferences(contract, parameter, valueOf(parameter))),
    ...unknownNames.map((name): Found => ({
      place: `query parameter ${name}`,
      text: 'is no parameter that the contract has',
      demand: operation.location,
      isAdvice: true,
    })),
  ]
}

interface Body {
  readonly side: MessageDirection
  readonly text: string
  readonly headers: HeaderPairs
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
  { content, location }: ContractBody,
  { side, text, headers }: Body,
): readonly Found[] {
  const header = headerValue(headers, 'content-type')
  const entries = [...content.keys()]
  const entry = header === undefined ? entries[0] : matchingMediaType(entries, header)
  if (entry === undefined)
    return [
      {
        place: 'header Content-Type',
        text: `is ${header}, and the contract has ${entries.join(', ')}`,
        demand: childOf(location, 'content'),
      },
    ]
  const schema = content.get(entry)
  if (!schema) return []
  const type = header ?? entry
  if (isJsonType(type)) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return [{ place: 'body', text: 'is no JSON', demand: childOf(location, 'content', entry) }]
    }
    return contract.validators
      .check(side, schema, value)
      .map((mismatch) => ({ ...asFound(mismatch, 'body'), isBody: true }))
  }
  if (isFormType(type))
    return contract.validators
      .check('text', schema, formFields(text))
      .map((mismatch) => asFound(mismatch, 'body'))
  return isTextType(type)
    ? contract.validators.check('text', schema, text).map((mismatch) => asFound(mismatch, 'body'))
    : []
}

export function requestDifferences(message: ComparedMessage): readonly ContractDifference[] {
  const { contract, operation, exchange } = message
  const { requestBody, location } = operation
  const { body: text = '', headers, wire } = exchange.request
  const found: Found[] = [...parametersOf(message)]
  if (wire?.base64 === undefined) {
    if (isEmpty(text)) {
      if (requestBody?.required)
        found.push({
          place: 'body',
          text: 'is missing, and the contract requires it',
          demand: requestBody.location,
        })
    } else if (requestBody)
      found.push(...bodyDifferences(contract, requestBody, { side: 'request', text, headers }))
    else
      found.push({
        place: 'body',
        text: 'is there, and the contract has none',
        demand: location,
        isAdvice: true,
      })
  }
  return found.map((each) => ({ ...each, side: 'request' as const }))
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export function responseDifferences(message: ComparedMessage): readonly ContractDifference[] {
  const { contract, operation, exchange } = message
  const { reply, failure, request } = exchange
  if (!reply) return []
  const { status, headers, body: text = '', wire } = reply
  const response = responseFor(operation, status)
  const found: Found[] = []
  if (!response)
    found.push({
      place: 'status',
      text: `is ${status}, and the contract has ${[...operation.responses.keys()].join(', ') || 'none'}`,
      demand: childOf(operation.location, 'responses'),
    })
  for (const header of response?.headers ?? []) {
    const value = headerValue(headers, header.name)
    const read = value === undefined ? undefined : simpleValue(value, header)
    found.push(
      ...parameterDifferences(contract, header, read).map((each) => ({
        ...each,
        place: each.place.replace('header parameter', 'header'),
      })),
    )
  }
  // Of an incomplete answer only the head was received.
  if (response && !failure && wire?.base64 === undefined && request.method !== 'HEAD') {
    if (!isEmpty(text)) {
      if (response.body)
        found.push(...bodyDifferences(contract, response.body, { side: 'response', text, headers }))
      else
        found.push({
          place: 'body',
          text: `of the answer ${status} is there, and the contract has none`,
          demand: response.location,
        })
    } else if (response.body && !bodiless.has(status))
      found.push({
        place: 'body',
        text: `of the answer ${status} is missing, and the contract has one`,
        demand: response.body.location,
      })
  }
  return found.map((each) => ({ ...each, side: 'response' as const }))
}
