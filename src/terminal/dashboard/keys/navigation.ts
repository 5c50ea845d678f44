/** Navigation keys: they change only the view. */
import {
  bindingsOf,
  type KeyBinding,
  overlayContexts,
  paneContexts,
  paneContextsExceptRecording,
  promptContexts,
} from './binding.ts'
import type { KeyOutcome, Motion } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { focusByNumber, mutedNotice, outcomeOf, withoutSession } from '../model/key-outcomes.ts'
import { notConnectableReason } from '../view/contact.ts'
import { searchedPane, searchText } from '../model/search.ts'
import { chosenExchangeSeq, detailTargetOf } from '../model/open-target.ts'
import { shownTrafficFilter } from '../model/query.ts'
import { playbackOf } from '../model/recording.ts'
import { textPrompts } from '../update/prompt.ts'

const motionBinding = (
  id: string,
  keys: readonly string[],
  [title, footer]: readonly [string, string],
  motion: Motion,
): KeyBinding => ({
  id,
  keys,
  contexts: [...paneContexts, ...overlayContexts],
  group: 'look around',
  title,
  footer,
  footerIn: overlayContexts,
  run: () => outcomeOf({ kind: 'moved', motion }),
})

const everythingText = ({ snapshot }: Model, isShown: boolean): string => {
  if (isShown) return 'journal, traffic and agenda show everything: * shows what is yours'
  return snapshot?.info.subject
    ? 'journal, traffic and agenda show what concerns your service'
    : 'the agenda shows what concerns orders'
}

const noMissed = ({ snapshot }: Model): string | undefined =>
  snapshot?.attached
    ? snapshot.attached.missed
      ? undefined
      : 'nothing was missed'
    : 'the session runs in this program: nothing is missed'

/** The traffic has a filter language; any other list, and an open text, is searched for words. */
function promptSearch(model: Model): KeyOutcome {
  const { overlay, filter } = model
  if (overlay) {
    const before = overlay.search ?? ''
    return outcomeOf({ kind: 'prompted', prompt: { kind: 'search', pane: 'overlay', before } })
  }
  const pane = searchedPane(model)
  if (pane === undefined)
    return outcomeOf(
      { kind: 'focused', pane: 'traffic' },
      { kind: 'prompted', prompt: { kind: 'filter', before: filter.draft } },
    )
  const before = searchText(model, pane)
  return outcomeOf(
    { kind: 'focused', pane },
    { kind: 'prompted', prompt: { kind: 'search', pane, before } },
  )
}

export const navigationKeys = bindingsOf({ group: 'look around', contexts: paneContexts }, [
  {
    id: 'pane.number',
    keys: ['1', '2', '3', '4', '5'],
    label: '1-5',
    title: 'go to a pane',
    titles: {
      '1': 'go to pane 1, facts',
      '2': 'go to pane 2, traffic',
      '3': 'go to pane 3, orders',
      '4': 'go to pane 4, the chosen order',
      '5': 'go to pane 5, agenda',
    },
    run: (_, press) => focusByNumber(press),
  },
  {
    id: 'pane.next',
    keys: ['tab'],
    title: 'next pane',
    footer: 'pane',
    run: () => outcomeOf({ kind: 'cycled', by: 1 }),
  },
  {
    id: 'pane.previous',
    keys: ['shift-tab'],
    title: 'previous pane',
    run: () => outcomeOf({ kind: 'cycled', by: -1 }),
  },
  motionBinding('line.down', ['j', 'down'], ['down', 'down'], { kind: 'rows', by: 1 }),
  motionBinding('line.up', ['k', 'up'], ['up; in the past this stops following', 'up'], {
    kind: 'rows',
    by: -1,
  }),
  motionBinding('page.down', ['ctrl-d', 'pagedown'], ['half a screen down', 'page'], {
    kind: 'halves',
    by: 1,
  }),
  motionBinding('page.up', ['ctrl-u', 'pageup'], ['half a screen up', 'page up'], {
    kind: 'halves',
    by: -1,
  }),
  motionBinding('list.first', ['g', 'home'], ['first row', 'top'], { kind: 'first' }),
  motionBinding('list.last', ['G', 'end'], ['last row, and follow', 'end'], { kind: 'last' }),
  {
    id: 'detail.open',
    meaning: 'open',
    keys: ['enter'],
    contexts: paneContextsExceptRecording,
    title: 'open the chosen row',
    footer: 'open',
    disabledReason: (model) => (detailTargetOf(model) ? undefined : 'there is nothing to open'),
    run: () => outcomeOf({ kind: 'opened' }),
  },
  {
    id: 'detail.adjacent',
    keys: [']', '['],
    label: '] [',
    contexts: ['detail', 'verdict', 'story', 'beside'],
    title: 'opened: the next or previous one instead',
    titles: { ']': 'open the next one', '[': 'open the previous one' },
    footer: 'next/previous',
    run: (_, { key }) => outcomeOf({ kind: 'adjacent', by: key === ']' ? 1 : -1 }),
  },
  {
    id: 'traffic.problem',
    meaning: 'next problem',
    keys: ['}', '{'],
    label: '} {',
    contexts: [...paneContextsExceptRecording, 'detail'],
    title: 'in the traffic: next or previous failure',
    titles: { '}': 'next failure in the traffic', '{': 'previous failure in the traffic' },
    disabledReason: (model) =>
      withoutSession(model) ??
      (playbackOf(model) ? 'in a recording, press it in pane 2' : undefined),
    run: (model, { key }) => ({
      action: {
        kind: 'next-failure',
        filter: shownTrafficFilter(model),
        from: chosenExchangeSeq(model),
        direction: key === '}' ? 1 : -1,
      },
    }),
  },
  {
    id: 'present.next',
    keys: ['l', 'right', 'h', 'left'],
    label: 'h l',
    title: 'in pane 3: accounts, deliveries …',
    titles: { l: 'next view of pane 3', h: 'previous view of pane 3' },
    footer: 'view',
    footerIn: ['orders', 'order'],
    run: (_, { key }) => outcomeOf({ kind: 'tabbed', by: key === 'l' || key === 'right' ? 1 : -1 }),
  },
  {
    id: 'filter.edit',
    keys: ['/'],
    contexts: [...paneContexts, ...overlayContexts],
    group: 'filter',
    title: 'filter the traffic, search any other list',
    footer: 'search',
    run: promptSearch,
  },
  {
    id: 'traffic.idle',
    meaning: 'background',
    keys: ['b'],
    contexts: ['traffic', 'tape'],
    group: 'filter',
    title: 'in pane 2: show idle polls, or hide',
    footer: 'idle polls',
    run: () => outcomeOf({ kind: 'idled' }),
  },
  {
    id: 'everything',
    keys: ['*'],
    contexts: paneContextsExceptRecording,
    group: 'filter',
    title: 'in 1, 2, 5: everything, or what is yours',
    footer: 'everything',
    footerIn: ['facts', 'traffic', 'agenda'],
    disabledReason: withoutSession,
    run: (model) =>
      outcomeOf({ kind: 'everything' }, mutedNotice(everythingText(model, !model.everything))),
  },
  {
    id: 'contact.open',
    keys: ['c'],
    title: 'how your service connects',
    footer: 'connect',
    footerIn: ['traffic', 'facts'],
    disabledReason: notConnectableReason,
    run: () =>
      outcomeOf({ kind: 'listed', overlay: { kind: 'contact', chosen: undefined, top: 0 } }),
  },
  {
    id: 'missed.show',
    keys: ['W'],
    contexts: paneContextsExceptRecording,
    title: 'attached: what came while disconnected',
    disabledReason: noMissed,
    run({ snapshot }) {
      const missed = snapshot?.attached?.missed
      return missed ? { action: { kind: 'show-missed', missed } } : {}
    },
  },
  {
    id: 'follow',
    keys: ['F'],
    title: 'follow what is new, or stop',
    run: () => outcomeOf({ kind: 'followed' }),
  },
  {
    id: 'peel',
    keys: ['esc'],
    contexts: [...paneContexts, ...overlayContexts, ...promptContexts],
    title: 'back, one layer at a time',
    run: () => outcomeOf({ kind: 'peeled' }),
  },
  {
    id: 'help',
    meaning: 'help',
    keys: ['?'],
    contexts: [...paneContexts, ...overlayContexts.filter((context) => context !== 'help')],
    title: 'these keys',
    footer: 'help',
    always: true,
    run: () => outcomeOf({ kind: 'helped' }),
  },
  {
    id: 'filter.accept',
    keys: ['enter'],
    contexts: ['filter', 'search'],
    group: 'filter',
    title: 'keep what is filtered or searched for',
    footer: 'keep',
    run: () => outcomeOf({ kind: 'answered' }),
  },
  {
    id: 'filter.erase',
    keys: ['backspace', 'delete', 'ctrl-h'],
    contexts: textPrompts,
    group: 'filter',
    title: 'delete a character',
    run: () => outcomeOf({ kind: 'erased', all: false }),
  },
  {
    id: 'filter.clear',
    keys: ['ctrl-u'],
    contexts: textPrompts,
    group: 'filter',
    title: 'delete all',
    footer: 'clear',
    run: () => outcomeOf({ kind: 'erased', all: true }),
  },
])
