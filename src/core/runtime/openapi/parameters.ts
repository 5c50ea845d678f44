/** Parameters of an operation in an OpenAPI document: of its path, of its query, and the headers that it reads. */
import type { z } from 'zod'
import type { Conduct } from '../../protocol/conduct.ts'
import type { Operation } from '../../protocol/operation.ts'
import { signatureFormOf, signatureMaking } from '../../protocol/signature.ts'
import { maxParameterLength } from '../server/route-index.ts'
import { strictRequirements } from './body-schema.ts'
import type { SchemaComponents } from './components.ts'
import { memberSchema } from './edit-schema.ts'
import { type Json, referenceTo } from './json.ts'
import { narrowed } from './strict-schema.ts'

type Place = 'path' | 'query' | 'header'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
}

/** The members of an object schema as parameters; a description stands beside the schema, not in it. */
export function parametersOf(
  schema: z.ZodType | undefined,
  place: Place,
  { inline }: Pick<SchemaComponents, 'inline'>,
): readonly Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = inline(schema) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }))
}

const meanings: Readonly<Record<string, string>> = {
  accountId: 'Id of the account.',
  couponId: 'Id of the coupon.',
  customerId: 'Id of the customer.',
  deliveryCode: 'The code that the customer has.',
  id: 'Id of the record.',
  itemId: 'Id of the item.',
  orderId: 'Id of the order.',
  programId: 'Id of the loyalty program.',
}

/** The parameters of a path template. */
export const pathParametersOf = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: meanings[name] ?? `The ${name}.`,
    schema: { type: 'string', minLength: 1, maxLength: maxParameterLength },
  }))

const text = (maxLength: number): Json => ({ type: 'string', maxLength })

/** Parameters that many operations share, by the name of the component. */
const sharedParameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Correlates the call. A mutation that is repeated under the same id is answered as before, and has no further effect.',
    schema: text(200),
  },
  AppId: {
    name: 'X-App-Id',
    in: 'header',
    description:
      'The id of the application that sends: the same for every receiver, and the `sourceAppId` of its events.',
    schema: text(200),
  },
  AppMerchantId: {
    name: 'X-App-MerchantId',
    in: 'header',
    description: 'The merchant that the event belongs to.',
    schema: text(200),
  },
} as const satisfies Readonly<Record<string, Json>>

/** The shared parameters in a dialect: a webhook has a signature, or none. */
export const sharedParametersIn = (conduct: Conduct): Readonly<Record<string, Json>> => {
  const form = signatureFormOf(conduct)
  if (!form) return sharedParameters
  const description = `${signatureMaking(form, 'the client secret of the receiver')}.`
  const { RequestId, ...others } = sharedParameters
  return {
    RequestId,
    Signature: { name: form.header, in: 'header', description, schema: text(200) },
    ...others,
  }
}

/** Query parameters with what every partner requires of them, where the conduct refuses others. */
const strictParameters = (
  parameters: readonly Json[],
  operation: string,
  conduct: Conduct,
): readonly Json[] =>
  strictRequirements(operation, conduct)
    .filter(({ of }) => of === 'query')
    .reduce(
      (all, requirement) =>
        all.map((each) =>
          each['name'] === requirement.at
            ? {
                ...each,
                schema: narrowed(memberSchema(each, 'schema'), requirement, (same) => same),
              }
            : each,
        ),
      parameters,
    )

const shared = (name: keyof typeof sharedParameters | 'Signature'): Json =>
  referenceTo('parameters', name)

/** All parameters of an operation at a path. */
export const operationParameters = (
  { id, query, headers, webhook, access }: Operation,
  path: string,
  components: SchemaComponents,
  conduct: Conduct,
): readonly Json[] => [
  ...pathParametersOf(path),
  ...strictParameters(parametersOf(query?.(), 'query', components), id, conduct),
  ...parametersOf(headers?.(), 'header', components),
  ...(access === 'open' || !conduct.requestIds ? [] : [shared('RequestId')]),
  ...(webhook && signatureFormOf(conduct) ? [shared('Signature')] : []),
  ...(webhook ? [shared('AppId'), shared('AppMerchantId')] : []),
]
