/** Kept for the buttons that send and show a reminder until they are loaded, so that nothing moves. */
export const REMINDER_SPACE = { mih: 36, miw: 200 }
