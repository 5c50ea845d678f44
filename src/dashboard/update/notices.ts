/** Notices: the last one is shown at the bottom; those before it can be read again. */
import type { DashboardNotice, Model } from '../model/model.ts'
import type { Overlay } from '../model/overlay.ts'

const maxNotices = 100

export const addNotice = (model: Model, notice: DashboardNotice): Model => ({
  ...model,
  notice,
  notices: [...model.notices.slice(1 - maxNotices), notice],
})

/** All notices in full, the newest first. */
export const noticesOverlay = ({ notices }: Model): Overlay => ({
  kind: 'message',
  title: 'Messages, newest first',
  lines: notices.length === 0 ? ['None yet.'] : notices.map(({ text }) => text).toReversed(),
  top: 0,
})
