/** What of a request does not meet the partner requirements of its operation, and the refusal of it. */
import type { OperationId } from '../../protocol/catalogue.ts'
import {
  hasRequirements,
  type UnmetRequirement,
  unmetRequirements,
} from '../../protocol/partner-requirements/catalogue.ts'
import type { HandlerInput } from '../../engine/handler.ts'
import { findVisibleOrder } from '../../engine/orders/handlers.ts'
import type { Refusal } from '../../engine/refusal.ts'
import { invalidBodyText } from '../../rules/diagnosis/requests/refused-request.ts'

const none: readonly UnmetRequirement[] = []

/** `sent` is the body before its schema read it. */
export function unmetByRequest(
  operation: OperationId,
  sent: unknown,
  input: HandlerInput,
): readonly UnmetRequirement[] {
  if (!hasRequirements(operation)) return none
  const order = (): unknown => {
    const found = findVisibleOrder(input)
    return found.ok ? found.value.order : undefined
  }
  return unmetRequirements(
    operation,
    { body: sent, query: input.query, order },
    input.settings.conduct,
  )
}

const placeText = { body: invalidBodyText, query: 'the query is invalid' } as const

/** The refusal of a request for all that is wrong with its form or, if the form is right, with its order. */
export function requirementRefusal(unmet: readonly UnmetRequirement[]): Refusal | undefined {
  for (const place of ['body', 'query'] as const) {
    const here = unmet.filter(({ requirement }) => (requirement.of ?? 'body') === place)
    if (here.length > 0)
      return {
        code: 'INVALID_PAYLOAD',
        message: `${placeText[place]} at ${problemsText(here)}`,
        unmet: here,
      }
  }
  return unmet.length === 0
    ? undefined
    : { code: 'EVENT_NOT_ALLOWED', message: `of the order, ${problemsText(unmet)}`, unmet }
}

const problemsText = (unmet: readonly UnmetRequirement[]): string =>
  unmet.map(({ problem }) => problem).join('; ')
