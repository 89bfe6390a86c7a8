import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DraftState, useDraft, WithDraft } from '../components/draft.tsx';
import { Failure, Page, ScreenState, StepTitle } from '../components/page.tsx';
import { PersonMissing } from '../components/person-missing.tsx';
import type { ApiRequest } from '../components/request-texts.ts';
import { bff, BffError, useScreen } from '../shell/bff.ts';
import type { Draft } from '../shell/drafts.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { rejectedFields } from './check-fields.ts';
import { inputOf, isChanged, isMasked, sentFields } from './comparison.ts';
import type { EditDraft } from './edit-draft.ts';
import { EditForm } from './edit-form.tsx';
import type { Saved } from './edit-routes.ts';
import { PersonLink } from '../components/link.tsx';
import { messages } from './messages.ts';
import { Conflict, Review } from './review.tsx';
import type { EditKind, EditScreen as Data } from './stored-value.ts';

export function EditAddressScreen(): ReactNode {
  return <EditScreen kind="address" path="address" />;
}

export function EditBankDetailsScreen(): ReactNode {
  return <EditScreen kind="bankDetails" path="bank-details" />;
}

interface EditScreenProps {
  readonly kind: EditKind;
  /** Below that of the person. */
  readonly path: string;
}

/** A form, the review of its input, and what follows a save that failed. */
function EditScreen({ kind, path: end }: EditScreenProps): ReactNode {
  const { personId = '' } = useParams({ strict: false });
  const text = useMessages(messages);
  const path = `people/${encodeURIComponent(personId)}/${end}`;
  const query = useScreen<Data>(path, {}, { kinds: ['persons'] });
  const name = `${kind}/${personId}`;
  const { content } = useDraft<EditDraft>(name);
  const outline = <Skeleton h={360} maw={640} />;
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
      description={<PersonLink id={personId}>{query.data?.name ?? text.done}</PersonLink>}
      request={requestOf(kind, personId, content)}
    >
      <ScreenState query={query} skeleton={outline}>
        {(screen) => (
          <WithDraft name={name} skeleton={outline}>
            <Steps key={name} {...{ kind, path, personId, screen }} />
          </WithDraft>
        )}
      </ScreenState>
    </Page>
  );
}

/** The call of the API that the save makes. The backend alone knows an IBAN that is kept. */
function requestOf(kind: EditKind, personId: string, draft: EditDraft | undefined): ApiRequest {
  const request: ApiRequest = { operation: 'updatePerson', path: { id: personId } };
  if (draft === undefined || isMasked(draft.input.fields['iban'])) return request;
  const fields = sentFields(kind, draft.input);
  const addresses = Object.keys(fields).length > 0 ? [fields] : [];
  return { ...request, body: kind === 'address' ? { addresses } : { bankDetails: fields } };
}

interface StepsProps extends EditScreenProps {
  readonly personId: string;
  readonly screen: Data;
}

function Steps({ kind, path, personId, screen: { stored, limits } }: StepsProps): ReactNode {
  const text = useMessages(messages);
  const name = `${kind}/${personId}`;
  const form = useDraft<EditDraft>(name);
  const save = useSave(kind, path, personId, form);
  const isSaving = useIsMutating({ mutationKey: [kind, personId] }) > 0;
  // Before the first input, the form shows what is stored now.
  const draft: EditDraft = form.content ?? { start: stored, input: inputOf(stored), step: 'form' };
  const { step, start, input, problem } = draft;
  const hints: Readonly<Record<string, string>> = text.hintsOfProblems;
  const change = (changes: Partial<EditDraft>): void => {
    const next = { ...draft, ...changes };
    form.change(next, next.problem !== undefined || isChanged(kind, next.start, next.input));
  };

  return (
    <Stack gap="md" maw={step === 'form' ? 640 : 900}>
      <div>
        <StepTitle key={step}>{text.steps[step][kind]}</StepTitle>
        <div aria-live="polite">
          {step !== 'conflict' && !isSaving && start.version !== stored.version && (
            <Group className="panel" p="sm" mt="sm" justify="space-between">
              <Text>{text.form.newer}</Text>
              <Button variant="default" size="xs" onClick={() => change({ step: 'conflict' })}>
                {text.form.compare}
              </Button>
            </Group>
          )}
        </div>
      </div>
      {problem && step !== 'conflict' && (
        <Failure
          error={new BffError({ ...problem, errors: rejectedFields(kind, draft).other })}
          hint={isChanged(kind, stored, input) ? (hints[problem.code] ?? text.keepsInput) : text.isStored}
        />
      )}
      {step === 'form' && <EditForm {...{ kind, limits, draft, change }} />}
      {step === 'review' && (
        <Review
          {...{ kind, draft, isSaving }}
          stored={isSaving ? start : stored}
          onSave={() => save(draft)}
          onBack={() => change({ step: 'form' })}
        />
      )}
      {step === 'conflict' && (
        <Conflict
          key={stored.version}
          {...{ kind, draft, stored }}
          onMerge={(next) => {
            // A value that is equal to the new base is no draft any more.
            const isSame = !isChanged(kind, stored, next);
            change({ start: stored, input: next, step: isSame ? 'form' : 'review', problem: undefined });
          }}
        />
      )}
      <DraftState name={name} />
    </Stack>
  );
}

/**
 * Saves a draft and goes back to the person. An address shows there before the service confirms it; bank details are
 * never shown before that. After a failure, the draft is at the step where the person goes on.
 */
function useSave(kind: EditKind, path: string, personId: string, form: Draft<EditDraft>): (draft: EditDraft) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const text = useMessages(messages);
  const { problems } = useMessages(shared);
  const id = `${kind}/${personId}`;
  const isOptimistic = kind === 'address';
  const toPerson = async (): Promise<void> => await navigate({ to: '/people/$personId', params: { personId } });
  const { mutate } = useMutation<Saved, Error, EditDraft>({
    mutationKey: [kind, personId],
    mutationFn: async ({ start: { version }, input }) => {
      const change = { version, fields: sentFields(kind, input), keepsIban: isMasked(input.fields['iban']) };
      return await bff.post(path, { ...change, draft: await form.settle() });
    },
    onMutate: () => {
      notifications.hide(id);
      if (isOptimistic) void toPerson();
    },
    onSuccess: async ({ outcome }) => {
      if (!isOptimistic) await toPerson();
      form.forget();
      // The new address stays on the screen until the person is read again.
      await client.invalidateQueries();
      notifications.show({ message: outcome === 'saved' ? text.saved[kind] : text.notChanged });
    },
    onError: async (error, draft) => {
      const problem = error instanceof BffError ? error.problem : { code: 'internal' as const, detail: '' };
      const isFaulty = problem.errors !== undefined && problem.errors.length > 0;
      // What is stored now.
      await client.refetchQueries({ queryKey: [path] });
      form.change({ ...draft, problem, step: problem.code === 'conflict' ? 'conflict' : isFaulty ? 'form' : 'review' });
      if (!isOptimistic) return;
      const title = problem.code === 'outcome-unknown' ? text.notConfirmed : text.notSaved;
      notifications.show({ id, color: 'red', autoClose: false, title, message: problems[problem.code] });
    },
  });
  return mutate;
}
