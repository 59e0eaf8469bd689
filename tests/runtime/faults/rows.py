"""Every fault that is promised something, and the tests that show it.

Law of this file: a row names tests that there are (`test_rows` holds it to that), or says why no test can show it here.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Row(NamedTuple):
    """A fault, and what is promised."""

    promise: str
    tests: tuple[str, ...] = ()
    """`file::test`, the file without `test_` and `.py`."""
    left_out: str = ""
    """What of the row is not shown, and why."""


ROWS: Final[Mapping[str, Row]] = MappingProxyType(
    {
        "reply lost after SET NX": Row(
            "one idempotent acquire; it ends in acquired",
            (
                "lost_replies::test_reply_lost_after_acquire_ends_in_acquired",
                "lost_replies::test_reply_lost_after_acquire_keeps_the_fence",
                "lost_replies::test_validity_counts_from_the_first_try_when_its_reply_was_lost",
                "lost_replies::test_both_replies_lost_after_acquire_leave_no_orphan",
            ),
        ),
        "reply lost after release": Row(
            "never a false 'lost'",
            (
                "lost_replies::test_reply_lost_after_release_ends_in_released",
                "lost_replies::test_reply_lost_after_release_is_no_false_lost_though_another_holds_it_by_now",
                "lost_replies::test_a_release_that_did_not_arrive_is_told_and_may_be_repeated",
                "lost_replies::test_a_block_that_was_good_to_its_end_is_not_spoilt_by_a_release_that_did_not_arrive",
            ),
        ),
        "reply lost after INCR": Row(
            "no blind retry; the policy applies; ambiguous",
            (
                "lost_replies::test_reply_lost_after_count_counts_once_and_is_ambiguous",
                "lost_replies::test_reply_lost_after_count_gives_the_declared_value_under_fallback",
                "lost_replies::test_reply_lost_after_reset_is_a_window_that_was_reset",
            ),
        ),
        "reply lost after claim": Row(
            "accepted; whoever is told 'unavailable' leaves no claim that nobody knows of",
            (
                "lost_replies::test_reply_lost_after_claim_ends_in_accepted",
                "lost_replies::test_both_replies_lost_after_claim_shut_nobody_out",
                "lost_replies::test_both_replies_lost_after_a_named_claim_are_made_good_by_the_redelivery",
            ),
        ),
        "reply lost after a renewal, an adoption, a signal": Row(
            "the lease goes on, is adopted; a signal is not sent twice",
            (
                "lost_replies::test_reply_lost_after_renewal_leaves_the_lease_to_its_holder",
                "lost_replies::test_reply_lost_after_adopt_ends_in_adopted",
                "lost_replies::test_reply_lost_after_a_signal_is_not_sent_twice",
            ),
        ),
        "request applied late": Row(
            "it is declined once its caller has given up",
            (
                "lost_replies::test_an_acquire_that_arrives_after_its_caller_gave_up_does_nothing",
                "lost_replies::test_a_counter_that_arrives_after_its_caller_gave_up_is_not_counted",
                "lost_replies::test_a_claim_that_arrives_after_its_caller_gave_up_claims_nothing",
                "outages::test_an_acquire_queued_at_a_stopped_server_is_declined_when_it_resumes",
                "outages::test_a_claim_queued_at_a_stopped_server_is_declined_when_it_resumes",
                "outages::test_a_count_queued_at_a_stopped_server_is_declined_when_it_resumes",
                "outages::test_before_the_servers_time_is_known_a_queued_acquire_costs_nothing_at_all",
            ),
        ),
        "Redis refused": Row(
            "its policy, at once; one metric; no ten retries",
            (
                "failure_table::test_refused_ends_by_policy",
                "failure_table::test_a_first_connection_that_is_refused_ends_by_policy",
                "outages::test_a_server_that_refuses_is_told_without_waiting_for_the_deadline",
                "outages::test_an_outage_in_the_middle_of_a_wait_ends_it",
            ),
        ),
        "server stalled": Row(
            "the total deadline; the policy; what was queued is declined",
            (
                "failure_table::test_no_answer_ends_by_policy",
                "outages::test_a_stopped_server_is_told_within_the_deadline",
                "outages::test_a_first_connection_to_a_stopped_server_is_bounded_by_its_own_deadline",
                "outages::test_a_sleeping_server_is_told_and_declines_what_is_queued",
                "outages::test_a_server_that_keeps_clients_waiting_is_told_and_forgets_who_went_away",
                "outages::test_after_an_outage_the_next_call_works",
            ),
        ),
        "connect works, replies slow or half-open": Row(
            "the same deadline; the connection is left",
            (
                "outages::test_a_black_hole_is_left_for_a_new_connection",
                "outages::test_a_half_closed_connection_is_left_before_anything_is_sent_on_it",
                "outages::test_a_connection_half_closed_in_the_middle_of_an_exchange_is_replaced",
                "outages::test_a_slow_reply_within_the_deadline_is_an_answer_like_any_other",
                "outages::test_a_reply_that_comes_too_late_is_nobody_elses_answer",
            ),
        ),
        "SCRIPT FLUSH, restart, failover": Row(
            "EVALSHA, then EVAL once; never visible",
            (
                "outages::test_a_flushed_script_is_sent_again_without_anybody_noticing",
                "outages::test_a_script_is_sent_whole_once_and_then_known",
                "outages::test_a_restart_between_two_calls_is_not_noticed",
                "failover::test_scripts_that_the_new_master_does_not_know_are_sent_again",
            ),
        ),
        "failover, lock not replicated": Row(
            "told; `replicas` or the policy; the fence still rises",
            (
                "failover::test_an_unreplicated_lock_is_lost_in_a_failover_and_told_by_the_next_renewal",
                "failover::test_two_hold_an_unreplicated_lock_until_the_first_gives_it_back_"
                "and_the_fence_tells_them_apart",
                "failover::test_a_lock_with_replicas_is_on_the_replica_before_its_holder_goes_on",
                "failover::test_a_lock_that_the_replicas_did_not_confirm_is_given_back_and_refused",
                "failover::test_a_lock_that_the_replicas_did_not_confirm_is_degraded_under_open",
                "failover::test_a_reply_lost_after_an_unconfirmed_acquire_is_not_taken_for_a_confirmation",
                "failover::test_a_claim_that_was_not_replicated_may_repeat_after_a_failover",
            ),
        ),
        "NOREPLICAS": Row(
            "class noreplicas, by policy",
            (
                "refusals::test_too_few_replicas_end_by_policy",
                "refusals::test_too_few_replicas_at_the_exit_of_a_good_block_leave_the_lock_to_its_ttl",
            ),
        ),
        "sentinel failover": Row(
            "the policy during the gap; leases are verified on the new master",
            (
                "failover::test_sentinels_are_asked_for_the_new_master_and_the_lease_goes_on_there",
                "failover::test_a_signal_alone_finds_the_new_master_too",
                "failover::test_no_sentinel_is_an_outage_under_its_policy",
            ),
        ),
        "cluster": Row(
            "keys of one lock in one slot; MOVED and ASK are followed; a lost node is an outage of its keys",
            (
                "cluster::test_every_primitive_works_on_every_node",
                "cluster::test_a_lock_and_its_helper_keys_share_a_slot",
                "cluster::test_leases_on_all_nodes_are_renewed",
                "cluster::test_a_waiter_is_woken_wherever_he_is_subscribed",
                "cluster::test_a_signal_sent_to_one_node_is_heard_on_another",
                "cluster::test_moved_is_followed_and_nobody_notices",
                "cluster::test_a_lease_whose_slot_moves_is_renewed_at_the_new_place",
                "cluster::test_ask_is_followed_and_counted_once",
                "cluster::test_ask_is_followed_for_a_lock",
                "cluster::test_a_fenced_lock_ends_by_policy_while_its_slot_moves",
                "cluster::test_a_client_that_knows_no_cluster_is_told_to_be_made_one",
                "cluster::test_a_lost_node_is_an_outage_for_its_own_keys_alone",
                "cluster::test_a_cluster_that_is_down_ends_by_policy",
            ),
            left_out="A new fenced lock while its slot moves: no node answers for two keys of which it lacks one.",
        ),
        "OOM noeviction": Row(
            "class oom, by policy; release and renewal work",
            (
                "refusals::test_full_memory_ends_by_policy",
                "refusals::test_full_memory_does_not_hinder_a_release",
                "refusals::test_full_memory_does_not_hinder_a_renewal",
                "refusals::test_full_memory_does_not_hinder_a_signal",
            ),
        ),
        "eviction": Row(
            "the next renewal, or the exit, finds it lost and tells",
            (
                "eviction::test_an_evicted_lock_is_told_by_the_next_renewal",
                "eviction::test_an_evicted_lock_is_told_at_its_exit_and_the_next_fence_is_higher",
                "eviction::test_the_fence_rises_though_the_fence_key_was_evicted_too",
            ),
            left_out="Warning of a server that evicts is the audit's.",
        ),
        "READONLY replica": Row(
            "looked for anew once, else by policy",
            (
                "refusals::test_a_replica_ends_by_policy",
                "refusals::test_a_replica_that_may_not_serve_ends_by_policy",
                "refusals::test_a_server_that_became_a_replica_is_looked_for_anew_once",
            ),
        ),
        "LOADING": Row("by policy", ("refusals::test_a_server_that_loads_its_data_ends_by_policy",)),
        "BUSY script": Row("by policy", ("refusals::test_a_server_that_runs_a_long_script_ends_by_policy",)),
        "MISCONF": Row("by policy", ("refusals::test_a_disk_that_fails_ends_by_policy",)),
        "AUTH, NOAUTH": Row(
            "raised at once under any policy, never tried again",
            (
                "permissions::test_a_wrong_password_is_raised_at_once_under_any_policy",
                "permissions::test_a_wrong_password_shows_when_the_program_starts",
                "permissions::test_a_missing_password_is_raised_at_once_under_any_policy",
            ),
        ),
        "NOPERM": Row(
            "as a wrong password; a small set of rights is enough",
            (
                "permissions::test_a_command_that_is_not_permitted_is_raised_at_once_under_any_policy",
                "permissions::test_a_key_or_channel_that_is_not_permitted_is_raised_at_once_under_any_policy",
                "permissions::test_a_command_inside_a_script_that_is_not_permitted_is_a_mistake_too",
                "permissions::test_rights_that_are_taken_away_are_noticed_by_the_next_call",
                "permissions::test_a_mistake_at_release_is_raised_unless_another_error_is_on_its_way",
                "permissions::test_a_listener_who_may_not_subscribe_is_told",
                "permissions::test_a_waiter_who_may_not_subscribe_is_told",
                "permissions::test_a_holder_who_may_not_publish_frees_the_lock_all_the_same",
                "permissions::test_these_rights_are_enough_for_everything",
            ),
        ),
        "a key of another type": Row(
            "raised under any policy",
            (
                "refusals::test_a_key_of_another_type_is_a_mistake_under_any_policy",
                "refusals::test_a_counter_that_holds_no_number_is_a_mistake",
                "refusals::test_a_fence_key_that_holds_no_fence_is_a_mistake_and_leaves_no_lock",
                "refusals::test_a_refusal_is_not_ambiguous_and_needs_no_clean_up",
            ),
        ),
        "maxclients": Row(
            "by policy; one subscription connection per process",
            (
                "refusals::test_no_room_for_another_client_ends_by_policy",
                "refusals::test_many_waiters_share_one_subscription",
            ),
        ),
        "holder paused past its TTL": Row(
            "`check()` raises before the next step; the fence is higher",
            (
                "holders::test_a_holder_stopped_past_its_ttl_is_told_before_the_next_step",
                "holders::test_a_holder_stopped_for_less_than_its_ttl_goes_on",
            ),
            left_out="A machine that sleeps (the clock that runs on meanwhile) cannot be put to sleep by a test.",
        ),
        "lock deleted or stolen by hand": Row(
            "the next renewal, or the exit, tells; the intruder's key is left alone",
            (
                "intruders::test_an_intruder_is_told_by_the_next_renewal_and_left_alone",
                "intruders::test_an_intruder_is_told_at_the_exit_and_left_alone",
                "intruders::test_an_intruder_does_not_hide_the_error_that_is_on_its_way",
            ),
        ),
        "a key without lifetime": Row(
            "a lock is stuck at once, a counter is healed",
            (
                "intruders::test_a_key_without_lifetime_is_stuck_at_once",
                "intruders::test_a_key_that_loses_its_lifetime_during_a_wait_is_stuck",
                "intruders::test_a_counter_without_lifetime_is_healed",
            ),
        ),
        "renewal network error": Row(
            "tried again until the local deadline, then told; a missing key is never made anew",
            (
                "intruders::test_a_renewal_survives_connections_that_are_cut",
                "intruders::test_a_renewal_survives_an_outage_shorter_than_the_lease",
                "intruders::test_a_holder_is_told_before_the_key_expires_when_no_renewal_gets_through",
                "intruders::test_a_renewal_never_makes_a_missing_key_anew",
            ),
        ),
        "server clock step": Row(
            "a holder's certainty does not depend on it; fences rise; calls are answered",
            (
                "clocks::test_a_step_forward_ends_a_lock_early_and_its_holder_is_told_by_the_next_renewal",
                "clocks::test_a_step_back_prolongs_a_key_but_not_its_holders_certainty",
                "clocks::test_a_fence_rises_over_a_step_of_the_servers_clock",
                "clocks::test_calls_are_answered_in_spite_of_a_step_of_the_servers_clock",
                "clocks::test_after_a_step_forward_of_the_servers_clock_a_late_request_is_still_declined",
                "clocks::test_renewal_goes_on_after_a_step_forward_that_made_it_late",
            ),
            left_out="Skipped where libfaketime is not installed, or the server does not come up under it.",
        ),
        "client clock step": Row(
            "nothing uses it",
            ("clocks::test_a_client_whose_wall_clock_is_set_notices_nothing",),
        ),
        "fork after connect": Row(
            "the child's handle is not its own; what it does is done with connections and threads of its own",
            (
                "holders::test_a_forked_child_does_not_have_its_parents_lease",
                "holders::test_a_forked_child_coordinates_with_connections_and_threads_of_its_own",
            ),
        ),
        "threads, tasks, a shared handle": Row(
            "a handle for each acquire; nobody waits for himself; re-entry by thread or task",
            (
                "sharing::test_threads_exclude_each_other",
                "sharing::test_a_second_acquire_by_the_same_holder_is_told_at_once",
                "sharing::test_another_thread_is_not_the_same_holder",
                "sharing::test_a_lock_object_shared_by_two_is_refused_to_the_second",
                "sharing::test_the_lock_of_a_thread_that_has_ended_is_not_that_of_the_next_thread",
                "sharing::test_reentry_needs_no_round_trip_and_the_outermost_exit_releases",
                "sharing::test_another_thread_cannot_reenter",
                "sharing::test_reentry_into_an_expired_lease_is_a_lost_lock",
                "sharing::test_a_lease_that_was_handed_on_cannot_be_reentered",
                "sharing::test_a_holder_whose_lease_expired_may_take_the_lock_anew",
            ),
        ),
        "cancelled in acquire": Row(
            "a shielded clean-up; the cancellation goes on",
            (
                "cancellation::test_cancelled_while_the_reply_to_an_acquire_is_awaited_leaves_no_lock",
                "cancellation::test_cancelled_before_the_request_arrives_leaves_no_lock_when_it_does",
                "cancellation::test_cancelled_while_the_reply_to_a_claim_is_awaited_leaves_no_claim",
                "cancellation::test_cancelled_while_a_lease_is_adopted_leaves_the_lock_to_nobody",
                "cancellation::test_cancelled_during_a_wait_lets_the_next_one_wait",
                "cancellation::test_a_timeout_around_an_acquire_is_kept_and_leaves_no_lock",
                "cancellation::test_a_clean_up_that_nobody_answers_is_bounded",
            ),
        ),
        "cancelled in release": Row(
            "shielded and bounded; never hides the cancellation",
            (
                "cancellation::test_cancelled_while_a_lock_is_given_back_gives_it_back",
                "cancellation::test_cancelled_in_the_block_gives_the_lock_back",
                "cancellation::test_a_release_that_fails_does_not_hide_a_cancellation",
            ),
        ),
        "KeyboardInterrupt": Row(
            "it goes on, and nothing is left behind, whenever it strikes",
            (
                "interrupts::test_an_interrupt_at_any_moment_of_an_acquire_leaves_no_lock",
                "interrupts::test_an_interrupt_at_any_moment_of_a_claim_leaves_no_claim",
                "interrupts::test_an_interrupt_at_any_moment_of_a_take_over_leaves_the_lock_to_nobody_or_to_the_next",
                "interrupts::test_an_interrupt_at_any_moment_of_a_wait_keeps_nobody_else_waiting",
                "interrupts::test_an_interrupt_at_any_moment_of_a_release_gives_the_lock_back",
                "interrupts::test_an_interrupt_while_the_reply_is_awaited_leaves_no_lock_and_no_claim",
                "interrupts::test_an_interrupt_leaves_a_named_claim_to_the_redelivery",
                "interrupts::test_an_interrupt_in_the_block_is_not_hidden_by_a_lost_lock",
                "interrupts::test_an_interrupt_while_the_lock_is_given_back_gives_it_back",
                "interrupts::test_control_c_while_the_reply_is_awaited_leaves_no_lock",
                "interrupts::test_control_c_during_a_wait_ends_it",
                "interrupts::test_control_c_in_a_block_gives_the_lock_back",
            ),
            left_out="The moment between `try_acquire()` giving a lease and the caller keeping it is the caller's.",
        ),
        "hand-over": Row(
            "of several adopters one wins; what is left is carried",
            (
                "hand_over::test_of_many_adopters_one_wins",
                "hand_over::test_another_process_adopts_and_releases",
                "hand_over::test_the_exporter_does_not_renew_any_more",
                "hand_over::test_the_adopter_renews",
                "hand_over::test_the_rest_of_max_hold_is_carried",
                "hand_over::test_adopting_what_expired_is_a_lost_lock",
                "hand_over::test_an_adopters_validity_is_what_the_key_has_left",
                "hand_over::test_adopting_from_a_server_that_is_away_is_unavailable_under_any_policy",
            ),
        ),
        "degraded lease": Row(
            "no fence, no hand-over; its exit removes what was written after all",
            (
                "hand_over::test_a_degraded_lease_cannot_be_handed_on",
                "hand_over::test_a_degraded_leases_exit_removes_what_was_written_after_all",
                "hand_over::test_a_degraded_leases_exit_leaves_another_holder_alone",
            ),
        ),
        "pub/sub connection cut": Row(
            "every acknowledged subscription is a wake",
            (
                "signals::test_a_listener_is_woken_after_every_cut_of_his_connection",
                "signals::test_a_message_in_the_gap_is_made_good_by_the_wake_after_it",
                "signals::test_a_listener_sits_out_an_outage",
                "signals::test_a_listener_may_come_before_the_server",
                "signals::test_a_lost_acknowledgement_is_no_subscription",
                "signals::test_a_waiter_whose_subscription_is_cut_looks_again",
                "signals::test_a_release_by_older_code_that_publishes_nothing_is_noticed",
                "signals::test_a_release_between_the_first_try_and_the_subscription_is_noticed",
            ),
        ),
        "slow subscriber": Row(
            "messages become one wake; being thrown out is a wake",
            (
                "signals::test_messages_for_a_slow_listener_become_one_wake_with_the_last_marker",
                "signals::test_a_listener_too_slow_for_the_server_is_woken_after_it_was_thrown_out",
            ),
        ),
        "FLUSHALL, restart without persistence": Row(
            "locks are lost and told; claims may repeat",
            (
                "outages::test_a_lock_that_a_restart_has_lost_is_told_at_its_exit",
                "outages::test_a_flushed_lock_is_told_by_the_next_renewal",
                "outages::test_a_claim_may_repeat_after_a_flush",
                "outages::test_a_server_that_keeps_its_data_keeps_locks_and_claims_over_a_crash",
            ),
        ),
        "SIGKILL of a holder": Row(
            "free after its TTL; the waiter gets in without polling",
            (
                "holders::test_a_waiter_gets_in_when_the_ttl_of_a_killed_holder_is_over",
                "holders::test_a_waiter_of_another_process_is_woken_by_the_release",
            ),
        ),
        "late watchdog": Row(
            "nothing is prolonged after the release",
            (
                "intruders::test_a_renewal_that_arrives_after_the_release_prolongs_nothing",
                "intruders::test_nothing_is_renewed_after_the_release",
            ),
        ),
        "old code on the same key": Row(
            "no worse than old beside old, and the lease's holder is told",
            (
                "mixed_versions::test_a_lock_of_redis_py_keeps_the_runtime_out_until_it_is_released",
                "mixed_versions::test_a_lease_keeps_a_lock_of_redis_py_out_until_it_is_released",
                "mixed_versions::test_old_and_new_exclude_each_other",
                "mixed_versions::test_a_lock_of_redis_py_without_timeout_is_stuck_rather_than_waited_for",
                "mixed_versions::test_an_old_delete_of_whatever_is_there_is_told_to_the_leases_holder",
                "mixed_versions::test_a_late_release_leaves_an_old_holder_alone",
                "mixed_versions::test_what_old_code_left_in_place_of_a_lock_never_lets_two_in",
                "mixed_versions::test_a_claim_of_older_code_is_a_duplicate_for_the_runtime",
                "mixed_versions::test_a_claim_of_the_runtime_is_a_duplicate_for_older_code",
                "mixed_versions::test_old_and_new_count_together",
                "mixed_versions::test_the_first_count_of_the_runtime_has_a_window_that_old_code_need_not_start",
                "mixed_versions::test_a_count_whose_window_old_code_never_started_is_healed",
                "mixed_versions::test_the_key_is_byte_for_byte_that_of_the_old_template",
            ),
        ),
    }
)
