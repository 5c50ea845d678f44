/** A call of ours to the user's service that failed, with what is needed to say why. */
import type { CatalogueRow } from '../../../protocol/catalogue.ts'
import type { Role } from '../../../protocol/role.ts'
import type { Settings } from '../../../engine/settings.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { statedReason } from '../../../traffic/stated-reason.ts'

export interface FailedCall extends Pick<Exchange, 'reply' | 'failure'> {
  readonly from: Role
  readonly method: string
  readonly url: string
  /** Absent for a call outside the protocol. */
  readonly row?: CatalogueRow
  /** Whether it carried an access token. */
  readonly hasToken: boolean
  readonly settings: Settings
}

/** Scheme, host and port of a URL. */
export const serverOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? url

/** `POST /webhooks/orders` */
export const callText = ({ method, url }: Pick<FailedCall, 'method' | 'url'>): string =>
  `${method} ${url.slice(serverOf(url).length).split('?')[0] || '/'}`

/** What the service says in its answer, to stand behind a sentence; empty when it says nothing. */
export function itsWords({ reply }: Pick<FailedCall, 'reply'>): string {
  const reason = reply && statedReason(reply)
  return reason === undefined ? '' : ` (it says: ${reason.slice(0, 160)})`
}

/** The line of a mistake with a reply of one of these statuses. */
export const onlyStatus =
  (
    statuses: readonly number[],
    lineFor: (call: FailedCall, status: number) => string | undefined,
  ) =>
  (call: FailedCall): string | undefined => {
    const status = call.failure ? undefined : call.reply?.status
    return status !== undefined && statuses.includes(status) ? lineFor(call, status) : undefined
  }

/** The setting that holds the path of a webhook; undefined for other calls. */
export const webhookSetting = ({ row }: Pick<FailedCall, 'row'>): string | undefined =>
  row?.webhook === undefined ? undefined : `subject.webhooks.${row.webhook}`
