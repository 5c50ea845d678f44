/** Updates of the screen of a certification: pure. */
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import { moveIndex, scroll } from '../../terminal/dashboard/model/lists.ts'
import type { Motion } from '../../terminal/dashboard/model/message.ts'
import type { ScreenMessage } from '../../terminal/dashboard/runtime/area-screen.tsx'
import { detailRows, textRows } from './details.ts'
import {
  innerRows,
  type CertificationModel,
  type CertificationView,
  chosenRow,
  type EndedCertification,
  listLength,
  type PersonWish,
} from './model.ts'

export type CertificationMessage =
  | { readonly kind: 'progress'; readonly progress: ProcedureProgress }
  /** An exchange with the service has ended. */
  | { readonly kind: 'exchange' }
  | { readonly kind: 'ticked'; readonly tookMs: number }
  /** A person is asked; without a wish it is over. */
  | { readonly kind: 'asked'; readonly wish?: PersonWish }
  | { readonly kind: 'ended'; readonly ended: EndedCertification }
  | { readonly kind: 'moved'; readonly motion: Motion }
  | { readonly kind: 'opened'; readonly view: CertificationView }
  | { readonly kind: 'closed' }
  | { readonly kind: 'stopped' }
  | ScreenMessage

/** The list moves its cursor, an open text its rows. */
function moved(model: CertificationModel, motion: Motion): CertificationModel {
  const height = innerRows(model)
  if (model.view !== 'overview')
    return { ...model, top: scroll(detailRows(model).length, textRows(model), model.top, motion) }
  const length = listLength(model)
  return length === 0
    ? model
    : { ...model, chosen: moveIndex(length, height, chosenRow(model), motion) }
}

export function updateCertification(
  model: CertificationModel,
  message: CertificationMessage,
): CertificationModel {
  switch (message.kind) {
    case 'progress': {
      const { progress } = message
      return { ...model, progress: new Map(model.progress).set(progress.procedure, progress) }
    }
    case 'exchange':
      return { ...model, exchanges: model.exchanges + 1 }
    case 'ticked':
      return { ...model, tookMs: message.tookMs }
    case 'asked': {
      const { wish: _before, ...others } = model
      // What is asked must be seen, whatever is open.
      return message.wish ? { ...others, wish: message.wish, view: 'overview', top: 0 } : others
    }
    case 'ended': {
      const { wish: _wish, chosen: _chosen, ...others } = model
      return { ...others, ended: message.ended, view: 'overview' }
    }
    case 'resized':
      return { ...model, columns: message.columns, rows: message.rows }
    case 'moved':
      return moved(model, message.motion)
    case 'opened':
      return { ...model, view: message.view, before: model.view, top: 0 }
    case 'closed':
      return { ...model, view: model.view === 'help' ? model.before : 'overview', top: 0 }
    case 'stopped':
      return { ...model, isStopping: true }
    case 'notice': {
      const { notice: _before, ...others } = model
      return message.notice ? { ...others, notice: message.notice } : others
    }
    default:
      return message satisfies never
  }
}
