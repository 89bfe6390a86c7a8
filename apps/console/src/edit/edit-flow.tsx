import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ComponentType, type MouseEvent, type ReactNode } from 'react';
import { PersonMissing } from '../components/person-missing.tsx';
import { useScreen } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Page, ScreenState } from '../components/page.tsx';
import type { ApiRequest } from '../components/request-texts.ts';
import { useSession } from '../shell/session.ts';
import { faultsOf, rejectedFields, warningsOf } from './check-fields.ts';
import { inputOf, isChanged, isStored, sentFields, withoutSpaces, type Input } from './comparison.ts';
import { Conflict } from './conflict.tsx';
import { draftKey, getDraft, setDraft, useDraft, type Draft } from './drafts.ts';
import type { FormProps } from './field-input.tsx';
import { messages } from './messages.ts';
import { Review } from './review.tsx';
import { editPath } from './save-draft.ts';
import { SaveFailure } from './save-failure.tsx';
import type { EditKind, EditScreen } from './stored-value.ts';
import { UnknownOutcome } from './unknown-outcome.tsx';
import { useSave } from './use-save.tsx';

interface EditFlowProps {
  readonly kind: EditKind;
  readonly Form: ComponentType<FormProps>;
}

/** A form, the review of its input, and what follows a save that failed. */
export function EditFlow({ kind, Form }: EditFlowProps): ReactNode {
  const { personId = '' } = useParams({ strict: false });
  const { user } = useSession();
  const text = useMessages(messages);
  const query = useScreen<EditScreen>(editPath(kind, personId), {}, { kinds: ['persons'] });
  const key = draftKey(user.name, kind, personId);
  const draft = useDraft(key);
  if (query.error?.problem.code === 'not-found') {
    return (
      <Page title={text.title[kind]}>
        <PersonMissing id={personId} />
      </Page>
    );
  }
  return (
    <Page
      title={text.title[kind]}
      description={
        <Anchor renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId }} />}>
          {query.data?.name ?? text.done}
        </Anchor>
      }
      request={requestOf(kind, personId, draft)}
    >
      <ScreenState query={query} skeleton={<FormSkeleton />}>
        {(screen) => <Steps key={key} kind={kind} personId={personId} draftKey={key} screen={screen} Form={Form} />}
      </ScreenState>
    </Page>
  );
}

interface StepsProps extends EditFlowProps {
  readonly personId: string;
  readonly draftKey: string;
  readonly screen: EditScreen;
}

function Steps({ kind, personId, draftKey: key, screen, Form }: StepsProps): ReactNode {
  const text = useMessages(messages);
  const navigate = useNavigate();
  const save = useSave(kind, personId, key);
  const { stored } = screen;
  // Before the first input, the form shows what is stored now.
  const draft: Draft = useDraft(key) ?? { start: stored, input: inputOf(kind, stored), step: 'form' };
  const { step, start, input, isSaving = false, problem, theirs } = draft;
  const change = (changes: Partial<Draft>): void => setDraft(key, { ...draft, ...changes });
  // A dialog asks first if there is input.
  const leave = (): void => void navigate({ to: '/people/$personId', params: { personId } });
  const close = (): void => {
    setDraft(key, undefined);
    void navigate({ to: '/people/$personId', params: { personId }, ignoreBlocker: true });
  };
  // A value that is equal to the new base is no draft any more.
  const rebase = (base: typeof stored, next: Input): void =>
    change({
      start: base,
      input: next,
      step: isChanged(kind, base, next) ? 'review' : 'form',
      problem: undefined,
      theirs: undefined,
      isInput: undefined,
    });

  const heading = useRef<HTMLHeadingElement>(null);
  const lastStep = useRef(step);
  useEffect(() => {
    if (lastStep.current !== step) heading.current?.focus();
    lastStep.current = step;
  }, [step]);
  useEffect(() => () => dropUnchanged(kind, key), [kind, key]);

  return (
    <Stack gap="md" maw={step === 'form' ? 640 : 900}>
      <div>
        <Title order={2} ref={heading} tabIndex={-1}>
          {text.steps[step][kind]}
        </Title>
        <div aria-live="polite">
          {(step === 'form' || step === 'review') && !isSaving && start.version !== stored.version && (
            <Group className="panel" p="sm" mt="sm" justify="space-between">
              <Text>{text.form.newer}</Text>
              <Button variant="default" size="xs" onClick={() => change({ step: 'conflict', theirs: stored })}>
                {text.form.compare}
              </Button>
            </Group>
          )}
        </div>
      </div>
      {problem && (step === 'form' || step === 'review') && (
        <SaveFailure problem={problem} other={rejectedFields(kind, input, problem).other} />
      )}
      {step === 'form' && (
        <FormStep kind={kind} screen={screen} draft={draft} change={change} Form={Form} onCancel={leave} />
      )}
      {step === 'review' && (
        <Review
          kind={kind}
          draft={draft}
          stored={isSaving ? start : stored}
          onSave={() => void save(draft)}
          onBack={() => change({ step: 'form' })}
        />
      )}
      {step === 'conflict' && theirs && (
        <Conflict
          key={theirs.version}
          kind={kind}
          draft={draft}
          theirs={theirs}
          onMerge={(next) => rebase(theirs, next)}
          onDone={close}
        />
      )}
      {step === 'unknown' && (
        <UnknownOutcome
          kind={kind}
          personId={personId}
          draft={draft}
          onRead={(now) => change({ theirs: now, isInput: isStored(kind, now, input) })}
          onReview={(now) => rebase(now, input)}
          onDone={draft.isInput ? close : leave}
        />
      )}
      <LeaveWarning isDirty={!isSaving && isChanged(kind, start, input)} onLeave={() => setDraft(key, undefined)} />
    </Stack>
  );
}

interface FormStepProps extends EditFlowProps {
  readonly screen: EditScreen;
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly onCancel: () => void;
}

function FormStep({ kind, screen, draft, change, Form, onCancel }: FormStepProps): ReactNode {
  const { form: text } = useMessages(messages);
  const form = useRef<HTMLFormElement>(null);
  const [isChecked, setChecked] = useState(false);
  const [isUnchanged, setUnchanged] = useState(false);
  const { start, input, problem } = draft;
  const faults = isChecked ? faultsOf(kind, input, screen.limits) : {};
  const rejected = rejectedFields(kind, input, problem).faults;

  const review = (): void => {
    const next = withoutSpaces(input);
    const hadSpaces = draft.hadSpaces || next !== input;
    const found = Object.keys(faultsOf(kind, next, screen.limits));
    const isSame = !isChanged(kind, start, next);
    setChecked(true);
    setUnchanged(found.length === 0 && isSame);
    change({ input: next, hadSpaces, ...(found.length === 0 && !isSame && { step: 'review', problem: undefined }) });
    form.current?.querySelector<HTMLInputElement>(`[name="${found[0]}"]`)?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      <Stack gap="lg">
        <Form
          screen={{ ...screen, stored: start }}
          input={input}
          setInput={(next, hadSpaces = false) => {
            setUnchanged(false);
            change({ input: next, hadSpaces, problem: undefined });
          }}
          hadSpaces={draft.hadSpaces ?? false}
          faults={{ ...rejected, ...faults }}
          warnings={warningsOf(kind, start, input)}
        />
        <Group gap="xs">
          <Button type="submit" onMouseDown={keepFocus}>
            {text.review}
          </Button>
          <Button variant="default" onMouseDown={keepFocus} onClick={onCancel}>
            {text.cancel}
          </Button>
          <Text component="output">{isUnchanged && text.unchanged}</Text>
        </Group>
      </Stack>
    </form>
  );
}

/** When a field loses the focus, a note below it may move the button away from the pointer before it is released. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

/** Asks before the person leaves the screen or the page with input that is not saved. */
function LeaveWarning({ isDirty, onLeave }: { readonly isDirty: boolean; readonly onLeave: () => void }): ReactNode {
  const { leave: text } = useMessages(messages);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title={text.title} close={reset}>
      <Text mb="md">{text.text}</Text>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={reset} data-autofocus>
          {text.stay}
        </Button>
        <Button
          color="red"
          onClick={() => {
            onLeave();
            proceed();
          }}
        >
          {text.discard}
        </Button>
      </Group>
    </Dialog>
  );
}

function FormSkeleton(): ReactNode {
  return (
    <Stack gap="lg" maw={640}>
      <Skeleton h={22} w={180} />
      {[1, 2, 3].map((line) => (
        <Stack key={line} gap={6}>
          <Skeleton h={14} w={120} />
          <Skeleton h={36} />
        </Stack>
      ))}
      <Skeleton h={36} w={110} />
    </Stack>
  );
}

/** The call of the API that the save makes. The backend alone knows an IBAN that is kept. */
function requestOf(kind: EditKind, personId: string, draft: Draft | undefined): ApiRequest {
  const request: ApiRequest = { operation: 'updatePerson', path: { id: personId } };
  if (draft === undefined || draft.input.keepsIban) return request;
  const fields = sentFields(kind, draft.input);
  const addresses = Object.keys(fields).length > 0 ? [fields] : [];
  return { ...request, body: kind === 'address' ? { addresses } : { bankDetails: fields } };
}

/** Without a change there is nothing to come back to. */
function dropUnchanged(kind: EditKind, key: string): void {
  const draft = getDraft(key);
  if (draft && !draft.isSaving && !draft.problem && !isChanged(kind, draft.start, draft.input))
    setDraft(key, undefined);
}
