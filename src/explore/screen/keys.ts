/** The keys of a campaign's screen. */
import type { Bucket } from '../investigation/bucket.ts'
import {
  commonKeys,
  type ListKey,
  type ListKeyOutcome,
  type ListView,
  moveByKey,
} from '../../terminal/dashboard/list-screen/list-screen.ts'
import { type CampaignModel, chosenBucket } from './model.ts'

/** What only this screen asks for. */
export interface CampaignAction {
  readonly kind: 'play'
  readonly bucket: Bucket
}

export interface StopMessage {
  readonly kind: 'stop'
  readonly stop: CampaignModel['stop']
}

export type CampaignKeyContext = ListView | 'stop'

export const campaignContextOf = ({ stop, view }: CampaignModel): CampaignKeyContext =>
  stop === 'asked' ? 'stop' : view

const withoutBucket = (model: CampaignModel): string | undefined =>
  chosenBucket(model) ? undefined : 'there is no bucket yet'

function leaveOrAsk({ ended, stop }: CampaignModel): ListKeyOutcome<StopMessage, CampaignAction> {
  // It was asked before: who presses it again does not want to wait.
  if (ended || stop === 'stopping') return { action: { kind: 'leave' } }
  return { message: { kind: 'stop', stop: 'asked' } }
}

const views: readonly ListView[] = ['overview', 'details', 'help']

type CampaignKey = ListKey<CampaignModel, CampaignKeyContext, StopMessage, CampaignAction>

export const campaignKeys: readonly CampaignKey[] = [
  {
    keys: ['up', 'down', 'k', 'j'],
    label: 'up down',
    contexts: views,
    title: 'the bucket above or below, or scroll; also k and j',
    footer: 'choose',
    run: moveByKey,
  },
  {
    keys: ['pageup', 'pagedown', 'ctrl-u', 'ctrl-d'],
    label: 'pageup pagedown',
    contexts: views,
    title: 'half a screen up or down; also ctrl-u and ctrl-d',
    run: moveByKey,
  },
  {
    keys: ['home', 'end', 'g', 'G'],
    label: 'home end',
    contexts: views,
    title: 'to the first or the last row; also g and G',
    run: moveByKey,
  },
  {
    keys: ['enter'],
    contexts: ['overview'],
    title: 'the story of the bucket: faults, exchanges, files, command',
    footer: 'story',
    disabledReason: withoutBucket,
    run: () => ({ message: { kind: 'opened', view: 'details' } }),
  },
  {
    keys: ['p'],
    contexts: ['overview', 'details'],
    title: 'play its reproducer step by step, in a session of its own',
    footer: 'play it step by step',
    disabledReason: withoutBucket,
    run(model) {
      const bucket = chosenBucket(model)
      return bucket ? { action: { kind: 'play', bucket } } : {}
    },
  },
  { ...commonKeys.back, contexts: ['details', 'help'], title: 'back to the campaign' },
  { ...commonKeys.help, contexts: views },
  {
    keys: ['q'],
    contexts: views,
    title: 'leave; while the campaign runs, stop it (it asks)',
    footer: 'quit',
    always: true,
    run: leaveOrAsk,
  },
  {
    keys: ['ctrl-c'],
    label: 'ctrl-c twice',
    contexts: views,
    title: 'stop the campaign and leave',
    run: leaveOrAsk,
  },
  { ...commonKeys.suspend, contexts: [...views, 'stop'] },
  {
    keys: ['y', 'enter', 'ctrl-c'],
    label: 'q y',
    contexts: ['stop'],
    title: 'stop the campaign; what was found stays',
    run: () => ({ message: { kind: 'stop', stop: 'stopping' }, action: { kind: 'stop' } }),
  },
  {
    keys: ['n', 'esc'],
    label: 'q n',
    contexts: ['stop'],
    title: 'go on with the campaign',
    run: () => ({ message: { kind: 'stop', stop: 'no' } }),
  },
]
