/** Keys of a campaign's screen: what each one does. */
import type { Bucket } from '../investigation/bucket.ts'
import { findBinding } from '../../terminal/dashboard/keys/binding.ts'
import type { Motion } from '../../terminal/dashboard/model/message.ts'
import {
  type CampaignKeyContext,
  type CampaignKeyId,
  campaignKeyTexts,
  type CampaignKeyText,
} from './key-texts.ts'
import { type CampaignModel, chosenBucket } from './model.ts'
import type { CampaignMessage } from './update.ts'

/** What the screen cannot do by itself. */
export type CampaignAction =
  | { readonly kind: 'stop' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'play'; readonly bucket: Bucket }

export interface CampaignKeyOutcome {
  readonly message?: CampaignMessage
  readonly action?: CampaignAction
}

interface CampaignKeyResponse {
  /** Why the key does nothing now. */
  readonly disabledReason?: (model: CampaignModel) => string | undefined
  readonly run: (model: CampaignModel, key: string) => CampaignKeyOutcome
}

const withoutBucket = (model: CampaignModel): string | undefined =>
  chosenBucket(model) ? undefined : 'there is no bucket yet'

const upwards: ReadonlySet<string> = new Set(['up', 'k', 'pageup', 'ctrl-u', 'home', 'g'])

/** A motion upwards or downwards, by the key. */
const moving = (toMotion: (isUp: boolean) => Motion): CampaignKeyResponse => ({
  run: (_, key) => ({ message: { kind: 'moved', motion: toMotion(upwards.has(key)) } }),
})

function leaveOrAsk({ ended, stop }: CampaignModel): CampaignKeyOutcome {
  if (ended) return { action: { kind: 'leave' } }
  // It was asked before: who presses it again does not want to wait.
  if (stop === 'stopping') return { action: { kind: 'leave' } }
  return { message: { kind: 'stop', stop: 'asked' } }
}

const responses: Readonly<Record<CampaignKeyId, CampaignKeyResponse>> = {
  move: moving((isUp) => ({ kind: 'rows', by: isUp ? -1 : 1 })),
  page: moving((isUp) => ({ kind: 'halves', by: isUp ? -1 : 1 })),
  ends: moving((isUp) => ({ kind: isUp ? 'first' : 'last' })),
  story: {
    disabledReason: withoutBucket,
    run: () => ({ message: { kind: 'opened', view: 'story' } }),
  },
  play: {
    disabledReason: withoutBucket,
    run(model) {
      const bucket = chosenBucket(model)
      return bucket ? { action: { kind: 'play', bucket } } : {}
    },
  },
  back: { run: () => ({ message: { kind: 'closed' } }) },
  help: {
    run: ({ view }) => ({
      message: view === 'help' ? { kind: 'closed' } : { kind: 'opened', view: 'help' },
    }),
  },
  quit: { run: leaveOrAsk },
  interrupt: { run: leaveOrAsk },
  suspend: { run: () => ({ action: { kind: 'suspend' } }) },
  'stop.confirm': {
    run: () => ({ message: { kind: 'stop', stop: 'stopping' }, action: { kind: 'stop' } }),
  },
  'stop.refuse': { run: () => ({ message: { kind: 'stop', stop: 'no' } }) },
}

export const campaignContextOf = ({ stop, view }: CampaignModel): CampaignKeyContext =>
  stop === 'asked' ? 'stop' : view

/** The keys of the footer that do something now. */
export const campaignFooterKeys = (model: CampaignModel): readonly CampaignKeyText[] =>
  campaignKeyTexts.filter(
    ({ id, footer, contexts }) =>
      footer !== undefined &&
      contexts.includes(campaignContextOf(model)) &&
      responses[id].disabledReason?.(model) === undefined,
  )

/** What a key does, or a notice why it does nothing. */
export function respondToCampaignKey(model: CampaignModel, key: string): CampaignKeyOutcome {
  const found = findBinding(campaignKeyTexts, campaignContextOf(model), key)
  const response = found && responses[found.id]
  const reason = response
    ? response.disabledReason?.(model)
    : `${key}: no such key here; ? lists them`
  if (response && reason === undefined) return response.run(model, key)
  return { message: { kind: 'notice', notice: { text: reason ?? '', tone: 'muted' } } }
}
