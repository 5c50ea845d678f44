/** The keys of a campaign's screen as texts: help and footer are printed from them, and each has its response in `keys.ts`. */
import type { DocumentedKey } from '../../terminal/dashboard/keys/documented-key.ts'
import type { CampaignView } from './model.ts'

export type CampaignKeyContext = CampaignView | 'stop'

export const campaignKeyIds = [
  'move',
  'page',
  'ends',
  'story',
  'play',
  'back',
  'help',
  'quit',
  'interrupt',
  'suspend',
  'stop.confirm',
  'stop.refuse',
] as const
export type CampaignKeyId = (typeof campaignKeyIds)[number]

export interface CampaignKeyText extends DocumentedKey {
  readonly id: CampaignKeyId
  readonly contexts: readonly CampaignKeyContext[]
}

const views: readonly CampaignView[] = ['overview', 'story', 'help']
const texts: readonly CampaignView[] = ['story', 'help']

export const campaignKeyTexts: readonly CampaignKeyText[] = [
  {
    id: 'move',
    keys: ['up', 'down', 'k', 'j'],
    label: 'up down',
    contexts: views,
    title: 'the bucket above or below, or scroll; also k and j',
    footer: 'choose',
  },
  {
    id: 'page',
    keys: ['pageup', 'pagedown', 'ctrl-u', 'ctrl-d'],
    label: 'pageup pagedown',
    contexts: views,
    title: 'half a screen up or down; also ctrl-u and ctrl-d',
  },
  {
    id: 'ends',
    keys: ['home', 'end', 'g', 'G'],
    label: 'home end',
    contexts: views,
    title: 'to the first or the last row; also g and G',
  },
  {
    id: 'story',
    keys: ['enter'],
    contexts: ['overview'],
    title: 'the story of the bucket: faults, exchanges, files, command',
    footer: 'story',
  },
  {
    id: 'play',
    keys: ['p'],
    contexts: ['overview', 'story'],
    title: 'play its reproducer step by step, in a session of its own',
    footer: 'play it step by step',
  },
  {
    id: 'back',
    keys: ['esc', 'backspace'],
    label: 'esc',
    contexts: texts,
    title: 'back to the campaign',
    footer: 'back',
    always: true,
  },
  { id: 'help', keys: ['?'], contexts: views, title: 'all keys', footer: 'help', always: true },
  {
    id: 'quit',
    keys: ['q'],
    contexts: views,
    title: 'leave; while the campaign runs, stop it (it asks)',
    footer: 'quit',
    always: true,
  },
  {
    id: 'interrupt',
    keys: ['ctrl-c'],
    label: 'ctrl-c twice',
    contexts: views,
    title: 'stop the campaign and leave',
  },
  {
    id: 'suspend',
    keys: ['ctrl-z'],
    contexts: [...views, 'stop'],
    title: 'to the shell; fg comes back',
  },
  {
    id: 'stop.confirm',
    keys: ['y', 'enter', 'ctrl-c'],
    label: 'q y',
    contexts: ['stop'],
    title: 'stop the campaign; what was found stays',
  },
  {
    id: 'stop.refuse',
    keys: ['n', 'esc'],
    label: 'q n',
    contexts: ['stop'],
    title: 'go on with the campaign',
  },
]
